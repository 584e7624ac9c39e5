import type { Path } from '../../../shared/domain/path.ts'
import { createPersonalStore } from '../../state/personal.ts'

/** The file whose draft the user has chosen to restore before its editor was opened, or null. The editor restores it at once. */
export const wantedDraft = createPersonalStore<Path | null>(null)
