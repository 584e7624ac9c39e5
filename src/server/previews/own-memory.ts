import { readFileSync } from 'node:fs'

/**
 * The memory that this process alone takes, in bytes. Where the kernel tells it, the program's files that are mapped do not count:
 * they lie in memory once, however many processes use them.
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
