import FoundationEssentials
import Linux
import Model
import Places

/// The command `--locate`.
struct Locate {
  private let setting: Setting
  private let atlas: Atlas

  init(_ setting: Setting) throws {
    self.setting = setting
    atlas = try setting.openAtlas()
  }

  func run(_ argument: String, json: Bool) throws -> ExitStatus {
    guard argument == "-" else {
      guard let coordinate = Coordinate(argument) else { throw malformed(argument) }
      try printOutput(json ? jsonLine(coordinate) : text(coordinate))
      return .done
    }
    var status = ExitStatus.done
    try forEachInputLine { line in
      guard let coordinate = Coordinate(line) else {
        printError("photoindexd: \(malformed(line).message)\n")
        status = .usage
        return
      }
      try printOutput((try? json ? jsonLine(coordinate) : tabbedLine(coordinate)) ?? "\n")
    }
    return status
  }

  private func malformed(_ text: String) -> Failure {
    Failure(
      .usage,
      "\(printable(text.utf8)): is no position; expected degrees as LAT,LON, such as 48.8584,2.2945"
    )
  }

  private func answer(_ coordinate: Coordinate) -> LocateAnswer {
    let location = atlas.locate(coordinate)
    let margin = atlas.margin(at: coordinate, of: location)
    let chain = location.unit.map { atlas.chain(of: $0) } ?? []
    return LocateAnswer(
      latitude: coordinate.latitude, longitude: coordinate.longitude,
      label: label(chain), timeZone: location.timeZone,
      placeSource: location.source?.rawValue,
      placeDistanceM: location.distanceMetres.map { $0.rounded() },
      placeMarginM: margin.map { $0.metres.rounded() },
      placeNeighbour: margin.flatMap { label(atlas.chain(of: $0.neighbour)) },
      places: chain.map { LocateAnswer.Place($0) })
  }

  private func label(_ chain: [Unit]) -> String? {
    chain.isEmpty ? nil : Places.label(of: chain, languages: setting.configuration.language)
  }

  private func text(_ coordinate: Coordinate) -> String {
    let answer = answer(coordinate)
    guard let label = answer.label else {
      return "no place: open sea, or land that no source names\n" + zoneLine(answer)
    }
    var lines = [oneField(label)]
    for place in answer.places {
      let others = ["ko", "en", "ja"].compactMap { place.names[$0] }.filter { $0 != place.name }
      let iso = place.iso.map { [$0] } ?? []
      let more = place.administrativeName.map { ["행정동 \($0)"] } ?? []
      let aliases =
        more.isEmpty && !place.aliases.isEmpty
        ? ["행정동 " + place.aliases.joined(separator: " or ")] : more
      lines.append(
        ([place.level, place.code, place.name] + unique(others) + aliases + iso).map(oneField)
          .joined(separator: "\t"))
    }
    let distance = answer.placeDistanceM.map { ["\(Int($0)) m away"] } ?? []
    lines.append((["source", answer.placeSource ?? "none"] + distance).joined(separator: "\t"))
    if let margin = answer.placeMarginM, let neighbour = answer.placeNeighbour {
      lines.append("border\t\(Int(margin)) m away\t\(oneField(neighbour))")
    }
    return lines.joined(separator: "\n") + "\n" + zoneLine(answer)
  }

  private func zoneLine(_ answer: LocateAnswer) -> String {
    "time zone\t\(answer.timeZone ?? "none")\n"
  }

  private func tabbedLine(_ coordinate: Coordinate) -> String {
    let answer = answer(coordinate)
    let fields = [
      "\(answer.latitude)", "\(answer.longitude)", answer.label ?? "", answer.timeZone ?? "",
      answer.placeSource ?? "", answer.placeDistanceM.map { "\(Int($0))" } ?? "",
      answer.places.map(\.code).joined(separator: "/"),
      answer.placeMarginM.map { "\(Int($0))" } ?? "", answer.placeNeighbour ?? "",
    ]
    return fields.map(oneField).joined(separator: "\t") + "\n"
  }

  private func jsonLine(_ coordinate: Coordinate) throws -> String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(answer(coordinate)), as: UTF8.self) + "\n"
  }
}

/// What `--locate` tells; JSON has its names in snake case.
private struct LocateAnswer: Encodable {
  struct Place: Encodable {
    let level: String
    let code: String
    let name: String
    let names: [String: String]
    let administrativeName: String?
    let aliases: [String]
    /// ISO 3166-2, where `code` is another.
    let iso: String?

    init(_ unit: Unit) {
      level = unit.level.rawValue
      code = unit.code
      name = unit.name
      names = unit.names
      administrativeName = unit.administrativeName
      aliases = unit.aliases
      iso = unit.iso
    }
  }

  let latitude: Double
  let longitude: Double
  let label: String?
  let timeZone: String?
  let placeSource: String?
  let placeDistanceM: Double?
  let placeMarginM: Double?
  let placeNeighbour: String?
  let places: [Place]
}

/// Names of the user's own places may hold anything.
private func oneField(_ text: String) -> String {
  text.contains { $0 == "\t" || $0.isNewline } ? printable(text.utf8) : text
}

private func unique(_ words: [String]) -> [String] {
  var seen: Set<String> = []
  return words.filter { seen.insert($0).inserted }
}

extension Coordinate {
  /// Two numbers with a comma, blanks or a tab between them.
  fileprivate init?(_ text: String) {
    let parts = text.split(whereSeparator: { ", \t".contains($0) })
    guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]) else {
      return nil
    }
    self.init(latitude: latitude, longitude: longitude)
  }
}
