import CSQLite

/// That of the library which this program has met at run time.
package let sqliteVersion = (
  number: Int(sqlite3_libversion_number()), text: String(cString: sqlite3_libversion())
)
