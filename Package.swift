// swift-tools-version: 6.2

import PackageDescription

// Targets are listed in the order data flows through them; every dependency points upwards.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// For targets that must never touch an unsafe pointer.
let safe = strict + [.strictMemorySafety()]

let package = Package(
  name: "photoindexd",
  products: [
    // Preloaded into the program by tests, so that calls fail or it is killed at one of them.
    .library(name: "faults", type: .dynamic, targets: ["FaultLayer"])
  ],
  targets: [
    .systemLibrary(
      name: "CBrotli", pkgConfig: "libbrotlidec", providers: [.apt(["libbrotli-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CExif", pkgConfig: "libexif", providers: [.apt(["libexif-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    // Without pkgConfig: its flag -DUTF8PROC_EXPORTS is one that SwiftPM refuses, with a warning.
    .systemLibrary(name: "CUnicode"),
    .systemLibrary(
      name: "CXXHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    .target(name: "Model", swiftSettings: safe),
    .target(name: "Brotli", dependencies: ["CBrotli"], swiftSettings: strict),
    .target(name: "Folding", dependencies: ["CUnicode"], swiftSettings: strict),
    .target(name: "Linux", dependencies: ["CLinux", "Model"], swiftSettings: strict),
    .target(name: "Digests", dependencies: ["CCrypto", "CXXHash", "Model"], swiftSettings: strict),
    .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: strict),
    .target(name: "Inflation", dependencies: ["CZlib"], swiftSettings: strict),
    .target(name: "Markup", dependencies: ["CExpat"], swiftSettings: strict),

    .target(name: "Library", dependencies: ["Digests", "Linux", "Model"], swiftSettings: safe),
    .target(
      name: "Containers", dependencies: ["Brotli", "Digests", "Inflation", "Linux", "Model"],
      swiftSettings: safe),
    .target(name: "CExifHeap", dependencies: ["CExif"]),
    .target(
      name: "Exif", dependencies: ["CExif", "CExifHeap", "Containers", "Model"],
      swiftSettings: strict),
    .target(
      name: "Metadata",
      dependencies: ["Containers", "Digests", "Exif", "Linux", "Markup", "Model"],
      swiftSettings: safe
    ),
    .target(
      name: "Decoding", dependencies: ["Containers", "Digests", "Linux", "Metadata", "Model"],
      swiftSettings: safe),
    .target(
      name: "Places", dependencies: ["Digests", "Linux", "Model"],
      // Unoptimised, compiling the atlas of the bundled places takes the tests minutes.
      swiftSettings: safe + [.unsafeFlags(["-O"], .when(configuration: .debug))]),

    .target(
      name: "Watch", dependencies: ["Library", "Linux", "Model"], swiftSettings: safe),

    .target(
      name: "IndexStore", dependencies: ["Folding", "Linux", "Model", "SQLite"], swiftSettings: safe
    ),

    .target(
      name: "Sync",
      dependencies: [
        "Decoding", "Digests", "IndexStore", "Library", "Linux", "Metadata", "Model", "Places",
      ],
      swiftSettings: safe
    ),

    .target(
      name: "Service",
      dependencies: [
        "Decoding", "IndexStore", "Library", "Linux", "Model", "Places", "SQLite", "Sync", "Watch",
      ],
      swiftSettings: safe
    ),

    .executableTarget(
      name: "photoindexd",
      dependencies: [
        "Decoding", "Digests", "IndexStore", "Library", "Linux", "Metadata", "Model", "Places",
        "Service", "SQLite", "Sync", "Watch",
      ],
      swiftSettings: safe
    ),

    // Built by scripts/bench-places alone.
    .executableTarget(
      name: "places-bench", dependencies: ["Linux", "Model", "Places"], swiftSettings: safe),

    .target(
      name: "TestSupport", dependencies: ["Linux", "Model", "Places", "SQLite"],
      path: "Tests/TestSupport",
      swiftSettings: strict),
    // Does what files tell it to, as hostile ones would like.
    .executableTarget(
      name: "faulty-decoder", dependencies: ["Decoding", "Linux", "Metadata", "Model"],
      path: "Tests/FaultyDecoder", swiftSettings: strict),
    .target(name: "FaultLayer", path: "Tests/FaultLayer"),
    .testTarget(
      name: "ModelTests", dependencies: ["Model", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "LinuxTests", dependencies: ["Linux", "Model", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "SQLiteTests", dependencies: ["Linux", "SQLite", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "LibraryTests", dependencies: ["Library", "Linux", "Model", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "WatchTests", dependencies: ["Library", "Linux", "Model", "TestSupport", "Watch"],
      swiftSettings: strict),
    .testTarget(
      name: "MetadataTests",
      dependencies: ["Containers", "Digests", "Exif", "Linux", "Metadata", "Model", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "DecodingTests",
      dependencies: [
        "Decoding", "Linux", "Metadata", "Model", "TestSupport", "faulty-decoder", "photoindexd",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PlacesTests", dependencies: ["Linux", "Model", "Places", "TestSupport"],
      exclude: ["Fixtures"],
      swiftSettings: strict),
    .testTarget(
      name: "SyncTests",
      dependencies: [
        "Decoding", "IndexStore", "Library", "Linux", "Metadata", "Model", "Places", "SQLite",
        "Sync",
        "TestSupport", "faulty-decoder",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ServiceTests",
      dependencies: [
        "Decoding", "IndexStore", "Library", "Linux", "Model", "SQLite", "Service", "Sync",
        "TestSupport",
        "Watch", "faulty-decoder",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "IndexStoreTests",
      dependencies: ["IndexStore", "Linux", "Model", "SQLite", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "PhotoindexdTests", dependencies: ["Linux", "Model", "Sync", "photoindexd"],
      swiftSettings: strict),
  ]
)

// With libFuzzer, which only scripts/fuzz links.
if Context.environment["PHOTOINDEXD_FUZZ"] != nil {
  package.targets += [
    .systemLibrary(name: "CFuzzer", path: "Tests/CFuzzer"),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "CFuzzer", "Decoding", "Linux", "Metadata", "Model", "Places", "TestSupport",
      ],
      path: "Tests/Fuzz", swiftSettings: strict),
  ]
}
