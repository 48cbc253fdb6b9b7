import Model

/// The numbers of the tasks, by and large in the order of their files' names.
///
/// In a directory of very many files the system's order is none: each transaction would change nearly
/// every page of the index of paths, and write it to the log anew.
func nameOrder(of tasks: [ReadTask]) -> [Int] {
  guard let first = tasks.first?.path.name else { return [] }
  var common = first.count
  for task in tasks {
    common = zip(first.prefix(common), task.path.name).prefix { $0 == $1 }.count
  }
  let keys = tasks.enumerated().map { number, task in
    (key: firstBytes(of: task.path.name.dropFirst(common)), number: number)
  }
  return keys.sorted { $0.key < $1.key }.map(\.number)
}

/// Eight of them, as a number that grows as they do.
private func firstBytes(of name: ArraySlice<UInt8>) -> UInt64 {
  var number: UInt64 = 0
  for position in 0..<8 {
    let index = name.startIndex + position
    number = number << 8 | (index < name.endIndex ? UInt64(name[index]) : 0)
  }
  return number
}
