import { createPersonalStore } from '../personal.ts'

/** True while the shell is on screen. */
export const isShellOpen = createPersonalStore(false)

/** The command lines that the user has run since the page was opened, the latest last. */
export const shellHistory = createPersonalStore<readonly string[]>([])
