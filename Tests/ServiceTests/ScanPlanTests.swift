import Model
import Service
import Testing

struct ScanPlanTests {
  private func delay(
    _ plan: ScanPlan, hour: Int64, isKind: Bool = false, offset: Int64 = 0, chance: Double = 0
  ) -> Duration {
    // 2024-05-01 at that hour, UTC.
    plan.delay(
      from: Timestamp(seconds: 1_714_521_600 + hour * 3600, nanoseconds: 0), isKind: isKind,
      offset: offset, chance: chance)
  }

  @Test func `a day passes between scans, a week where the disk would be woken`() {
    #expect(delay(ScanPlan(), hour: 0) == .seconds(86_400))
    #expect(delay(ScanPlan(), hour: 0, isKind: true) == .seconds(7 * 86_400))
    #expect(delay(ScanPlan(interval: .seconds(60)), hour: 0, isKind: true) == .seconds(60))
    // Up to a twentieth more, by chance.
    #expect(delay(ScanPlan(interval: .seconds(60)), hour: 0, chance: 1) == .seconds(63))
  }

  @Test func `a scan starts at the time of day that is nearest to the interval`() {
    let plan = ScanPlan(minute: 150)
    // From 01:00 to 02:30 of the next day; from 20:00, to the day after that would be 30.5 hours.
    #expect(delay(plan, hour: 1) == .seconds(25 * 3600 + 1800))
    #expect(delay(plan, hour: 20) == .seconds(30 * 3600 + 1800))
    #expect(delay(plan, hour: 13) == .seconds(13 * 3600 + 1800))
    // At 17:30 in Seoul it is 02:30 the next day.
    #expect(delay(plan, hour: 17, offset: 9 * 3600) == .seconds(24 * 3600 + 1800))
    #expect(delay(plan, hour: 1, chance: 1) - delay(plan, hour: 1) == .seconds(300))
    #expect(delay(ScanPlan(interval: .seconds(3600), minute: 150), hour: 1) == .seconds(3600))
  }
}
