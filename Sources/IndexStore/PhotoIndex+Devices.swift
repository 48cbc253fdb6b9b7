import Model
import SQLite

extension PhotoIndex {
  /// The row of a device, made when it is met for the first time.
  func id(of device: DeviceIdentity) throws -> Int64 {
    if let known = deviceIDs[device] { return known }
    let identity = [Value(device.make), Value(device.model), Value(device.serial)]
    try connection.run(insertDevice, identity + [.text(device.defaultName)])
    var id: Int64 = 0
    try connection.run(selectDevice, identity) { id = $0.integer(0) }
    deviceIDs[device] = id
    return id
  }

  /// The row of a lens likewise.
  func id(ofLens name: String) throws -> Int64 {
    let bytes = Array(name.utf8)
    if let known = lensIDs[bytes] { return known }
    try connection.run(insertLens, [.text(name)])
    var id: Int64 = 0
    try connection.run(selectLens, [.text(name)]) { id = $0.integer(0) }
    lensIDs[bytes] = id
    return id
  }
}

extension DeviceIdentity {
  /// What a person calls the device: "Canon EOS R6", not "Canon Canon EOS R6".
  var defaultName: String {
    guard let model else { return make ?? serial ?? "" }
    guard let make, !model.lowercased().hasPrefix(firstWord(of: make)) else { return model }
    return make + " " + model
  }
}

private func firstWord(of text: String) -> String {
  text.split(separator: " ").first.map { $0.lowercased() } ?? ""
}

private let insertDevice = SQL(
  "INSERT INTO device (make, model, serial, name) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING")

private let insertLens = SQL("INSERT INTO lens (name) VALUES (?) ON CONFLICT DO NOTHING")
private let selectLens = SQL("SELECT id FROM lens WHERE name = ?")

private let selectDevice = SQL(
  """
  SELECT id FROM device WHERE coalesce(make, '') = coalesce(?1, '')
    AND coalesce(model, '') = coalesce(?2, '') AND coalesce(serial, '') = coalesce(?3, '')
  """)
