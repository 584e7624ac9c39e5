import { readFileSync } from 'node:fs'

/**
 * Returns the memory use of this process in bytes. On Linux, mapped program files are not counted, because all
 * processes share them in memory. On other systems, the function returns the resident set size.
 */
export function ownMemoryBytes(): number {
  const status = readStatus()
  const lines = Array.from(status.matchAll(/^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB$/gm))
  if (lines.length === 0) return process.memoryUsage.rss()
  return lines.reduce((sum, [, kilobytes]) => sum + Number(kilobytes) * 1024, 0)
}

function readStatus(): string {
  try {
    return readFileSync('/proc/self/status', 'latin1')
  } catch {
    return ''
  }
}
