/**
 * A module that a test loads into a server with `--import` and `--expose-gc`. On SIGUSR2, the server collects its garbage and
 * prints how many bytes it still uses: the objects of its heap, and its buffers.
 */
const collectGarbage = globalThis.gc ?? (() => {})
process.on('SIGUSR2', () => {
  collectGarbage()
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  process.stdout.write(`heap in use: ${heapUsed + external}\n`)
})
