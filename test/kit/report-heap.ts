import { getHeapSnapshot } from 'node:v8'

/**
 * A module that a test loads into a server with `--import` and `--expose-gc`. It lets the test look at the memory of the
 * server.
 */
const collectGarbage = globalThis.gc ?? (() => {})

/** On SIGUSR2, the server collects its garbage and prints how many bytes its objects and buffers still use. */
process.on('SIGUSR2', () => {
  collectGarbage()
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  process.stdout.write(`heap in use: ${heapUsed + external}\n`)
})

/** On SIGWINCH, the server prints how many different texts `value-<number>-` are in its heap. This takes some seconds. */
process.on('SIGWINCH', () => void countValues())

async function countValues(): Promise<void> {
  const values = new Set<string>()
  let rest = ''
  for await (const chunk of getHeapSnapshot().setEncoding('latin1')) {
    const text = rest + String(chunk)
    for (const [, value = ''] of text.matchAll(/value-(\d+)-/g)) values.add(value)
    rest = text.slice(-20)
  }
  process.stdout.write(`values kept: ${values.size}\n`)
}
