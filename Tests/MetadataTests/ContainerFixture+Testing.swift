import TestSupport
import Testing

extension ContainerFixture: CustomTestStringConvertible {
  public var testDescription: String { name }
}
