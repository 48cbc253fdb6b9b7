/// The names of a place and those around it in one line, from large to small, as
/// "대한민국, 서울특별시, 성북구, 동소문동2가".
///
/// Names are separated by commas in every language, because many hold blanks themselves. A name
/// that would follow itself (Singapore, Singapore) stands once.
package func placeLabel(_ names: [String]) -> String {
  var distinct: [String] = []
  for name in names where distinct.last != name { distinct.append(name) }
  return distinct.joined(separator: ", ")
}
