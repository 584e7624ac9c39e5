import type { ListedEntry } from '../listed-entry.ts'
import { createPersonalStore } from '../personal.ts'

/** The file on screen as an entry of its folder, or null while no file is open. */
export const openFile = createPersonalStore<ListedEntry | null>(null)
