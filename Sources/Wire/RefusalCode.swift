/// Why a line or a connection was refused: the names that go out in replies and that `status` counts by.
package enum RefusalCode: String, CaseIterable, Sendable {
  case invalidAction, invalidApp, invalidCount, invalidTime, invalidId, unknownField, invalidJSON
  case lineTooLong, notPermitted, tooManyConnections, unknownOp, invalidArgument
  case unknownAction
}

/// How often each code was met; no heap, so that a connection or a table of peers can hold one.
package struct RefusalCounts: Equatable, Sendable {
  private var values = InlineArray<13, UInt64>(repeating: 0)

  /// All zero.
  package init() {}

  /// The count of one code.
  package subscript(code: RefusalCode) -> UInt64 {
    get { values[Self.index(of: code)] }
    set { values[Self.index(of: code)] = newValue }
  }

  /// The sum over all codes.
  package var total: UInt64 {
    RefusalCode.allCases.reduce(0) { $0 &+ self[$1] }
  }

  /// Equal if every code has the same count.
  package static func == (a: RefusalCounts, b: RefusalCounts) -> Bool {
    RefusalCode.allCases.allSatisfy { a[$0] == b[$0] }
  }

  private static func index(of code: RefusalCode) -> Int {
    switch code {
    case .invalidAction: 0
    case .invalidApp: 1
    case .invalidCount: 2
    case .invalidTime: 3
    case .invalidId: 4
    case .unknownField: 5
    case .invalidJSON: 6
    case .lineTooLong: 7
    case .notPermitted: 8
    case .tooManyConnections: 9
    case .unknownOp: 10
    case .invalidArgument: 11
    case .unknownAction: 12
    }
  }
}
