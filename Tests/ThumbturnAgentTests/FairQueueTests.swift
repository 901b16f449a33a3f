import Testing
@testable import ThumbturnAgent

@Suite("A fair queue")
struct FairQueueTests {
  @Test("gives each client its turn, and each client's jobs in their order")
  func turns() {
    var queue = FairQueue<Int>()
    for job in 10..<14 { queue.put(job, of: 1) }
    queue.put(20, of: 2)
    queue.put(30, of: 3)
    queue.put(21, of: 2)
    #expect(queue.count == 7)
    var taken: [Int] = []
    while let job = queue.take() { taken.append(job) }
    #expect(taken == [10, 20, 30, 11, 21, 12, 13])
    #expect(queue.count == 0)
  }

  @Test("forgets a client that is gone, and no other")
  func removal() {
    var queue = FairQueue<Int>()
    queue.put(1, of: 1)
    queue.put(2, of: 2)
    queue.put(3, of: 1)
    #expect(queue.remove(1) == [1, 3])
    #expect(queue.remove(1) == [])
    #expect(queue.count == 1)
    #expect(queue.take() == 2)
    #expect(queue.take() == nil)
  }
}
