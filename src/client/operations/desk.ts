import type { Path } from '../../shared/domain/path.ts'
import { call } from '../api/call.ts'
import { navigate } from '../router/router.ts'
import { tell, tellFailure, tellWorking } from '../state/notices.ts'
import { openFolderAt, type OpenFolder } from '../state/open-folder.ts'

/** What operations work with: the server, the rows on screen, the notices, the address. */
export type Desk = {
  readonly call: typeof call
  /** The rows of a folder, while it is the one on screen. */
  readonly openAt: (
    folder: Path,
  ) => Pick<OpenFolder, 'has' | 'insert' | 'remove' | 'rename' | 'focus' | 'reload'> | null
  readonly tell: typeof tell
  readonly tellFailure: typeof tellFailure
  readonly tellWorking: typeof tellWorking
  readonly go: (to: string) => void
  readonly nowMs: () => number
  /** Runs something later; the function that it answers forgets it. */
  readonly later: (run: () => void, delayMs: number) => () => void
}

/** The desk of this page. */
export const desk: Desk = {
  call,
  openAt: openFolderAt,
  tell,
  tellFailure,
  tellWorking,
  go: navigate,
  nowMs: Date.now,
  later: (run, delayMs) => {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}
