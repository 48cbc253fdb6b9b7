import Linux
import Model

@main
struct Main {
  static func main() async {
    ignoreBrokenPipes()
    var database: String?
    do {
      let invocation = try Invocation(programArguments())
      let status = try await run(invocation, &database)
      endProcess(status.rawValue)
    } catch {
      let failure = Failure(error, database: database)
      for line in failure.message.split(separator: "\n") { printError("photoindexd: \(line)\n") }
      endProcess(failure.status.rawValue)
    }
  }

  private static func run(
    _ invocation: Invocation, _ database: inout String?
  ) async throws -> ExitStatus {
    switch invocation.command {
    case .help:
      printOutput(helpText)
      return .done
    case .version:
      printOutput("photoindexd \(version)\n")
      return .done
    default: break
    }
    let setting = try Setting(invocation)
    database = try setting.database()
    switch invocation.command {
    case .rescan(let directories):
      return try await Rescan(setting, invocation).run(directories)
    case .status: return try Status(setting).run(json: invocation.json)
    case .locate(let position): return try Locate(setting).run(position, json: invocation.json)
    case .explain(let path): return try Explain(setting).run(path)
    case .checkConfiguration: return checkConfiguration(setting)
    case .printDatabase: printOutput(try setting.database() + "\n")
    case .setTimeZone(let zone): try await setTimeZone(zone, setting)
    case .help, .version: break
    }
    return .done
  }
}
