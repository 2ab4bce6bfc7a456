import Testing

/// Whether the sources keep to the table in `docs/ARCHITECTURE.md`.
struct ArchitectureTests {
  @Test("every import is one that the table of layers allows")
  func imports() throws {
    let layers = try Dictionary(uniqueKeysWithValues: Repository.layers().map { ($0.target, $0) })
    var seen = 0
    for (target, path) in try Repository.sources() {
      let layer = try #require(layers[target], "\(target) is missing in the table of docs/ARCHITECTURE.md")
      for (index, line) in Repository.lines(try Repository.text(path)).enumerated() {
        guard let found = Import(line: line) else { continue }
        seen += 1
        #expect(layer.allowed.contains { $0.allows(found) }, "\(path):\(index + 1): \(line)")
      }
    }
    #expect(seen > 50)
  }

  @Test("the table allows nothing that no file makes use of")
  func nothingUnused() throws {
    let files = try Repository.sources()
    for layer in try Repository.layers() {
      let found = try files.filter { $0.target == layer.target }
        .flatMap { Repository.lines(try Repository.text($0.path)).compactMap { Import(line: $0) } }
      for allowed in layer.allowed {
        #expect(found.contains { allowed.allows($0) }, "\(layer.target) may import \(allowed.module), but does not")
      }
    }
  }

  @Test("the table names every target once, and each imports only what stands above it at no higher level")
  func table() throws {
    let layers = try Repository.layers()
    let targets = try Repository.targets()
    #expect(layers.map(\.target).sorted() == targets)
    #expect(layers.map(\.level) == layers.map(\.level).sorted())
    for (place, layer) in layers.enumerated() {
      let above = Set(layers[..<place].map(\.target))
      for allowed in layer.allowed where targets.contains(allowed.module) {
        #expect(above.contains(allowed.module), "\(layer.target) is above \(allowed.module)")
      }
    }
  }

  @Test("Foundation as a whole, which loads ICU, is imported nowhere")
  func noFoundation() throws {
    for (_, path) in try Repository.sources() {
      let modules = Repository.lines(try Repository.text(path)).compactMap { Import(line: $0)?.module }
      #expect(!modules.contains("Foundation"), "\(path)")
      #expect(!modules.contains("Dispatch"), "\(path)")
    }
  }

  @Test("no source file has over 350 lines, and a main file has under 60")
  func sizes() throws {
    for (_, path) in try Repository.sources() {
      let count = Repository.lines(try Repository.text(path)).count
      #expect(count <= 350, "\(path) has \(count) lines")
      if path.hasSuffix("/main.swift") { #expect(count < 60, "\(path) has \(count) lines") }
    }
  }
}

/// Whether the tests above read what they think they read.
struct LayersTests {
  @Test(
    "an import is read in all its forms",
    arguments: [
      ("import Posix", Import(module: "Posix")),
      ("  import   Posix // why", Import(module: "Posix")),
      ("private import CPosix", Import(module: "CPosix", isPrivate: true)),
      ("fileprivate import CPosix;", Import(module: "CPosix", isPrivate: true)),
      ("package import Posix", Import(module: "Posix")),
      ("@testable import Service", Import(module: "Service")),
      ("@preconcurrency private import CGLib", Import(module: "CGLib", isPrivate: true)),
      ("@_spi(X) @testable public import Wire", Import(module: "Wire")),
      ("import func Glibc.exp2", Import(module: "Glibc", name: "func exp2")),
      ("private import struct Glibc.stat", Import(module: "Glibc", name: "struct stat", isPrivate: true)),
      ("import Glibc.stdio", Import(module: "Glibc", name: "stdio")),
    ] as [(String, Import)])
  func read(line: String, expected: Import) { #expect(Import(line: line) == expected) }

  @Test(
    "other lines are no imports",
    arguments: [
      "", "// import Foundation", "let import1 = 2", "important()", "private let x = 1", "import", "  x.import Posix",
    ])
  func others(line: String) { #expect(Import(line: line) == nil) }

  @Test("a row allows whole modules, private ones only privately, and functions only by name")
  func row() throws {
    let layer = try #require(Layer(row: "| 1 | `X` | words with `code` | `A`, `private B`, `func C.f` |"))
    #expect(layer.level == 1 && layer.target == "X")
    func allows(_ line: String) -> Bool {
      guard let found = Import(line: line) else { return false }
      return layer.allowed.contains { $0.allows(found) }
    }
    for line in [
      "import A", "private import A", "package import A", "import func A.f", "private import B", "import func C.f",
    ] {
      #expect(allows(line), "\(line)")
    }
    for line in ["import B", "package import B", "import C", "import func C.g", "import struct C.f", "import D"] {
      #expect(!allows(line), "\(line)")
    }
    for row in ["|---|---|---|---|", "| level | target | holds | may import |", "| a | b |", "text"] {
      #expect(Layer(row: row) == nil)
    }
  }
}
