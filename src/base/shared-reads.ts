/**
 * What is read from `begin` to `end` is of one snapshot, so that a statement need not take a lock of its own, which is
 * a tenth of a read. Between them nothing may be received that could have been sent after a later commit.
 */
export interface SharedReads {
  begin(): void
  end(): void
}
