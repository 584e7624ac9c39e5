import { constants } from 'node:os'
import type { CommandEnd } from '../programs/run-in-sandbox.ts'

/** How a program ended, as the socket is closed with it: its exit status, as shells tell it, or a word. Empty when none ran. */
export function reasonOf({ ending, why }: CommandEnd): string {
  switch (ending.kind) {
    case 'exited':
      return String(ending.status)
    case 'signalled':
      return String(128 + constants.signals[ending.signal])
    case 'time-limit':
      return 'time-limit'
    case 'aborted':
      return why === null ? 'ended' : 'over-limits'
    default:
      return ''
  }
}
