import { basePath } from '../../router/router.ts'
import { registerPersonal } from '../../state/personal.ts'
import { userOf } from '../../state/session.ts'

/** Returns the name of the browser's database that holds the drafts of a person on the server of a base path. */
export const draftDatabaseOf = (base: string, userId: number): string => `drafts ${base} ${userId}`

// A logout deletes the drafts. The frame loads this file, so that this also works in a page that has opened no text.
registerPersonal({
  drop: () => {
    const user = userOf()
    if (user === null) return
    try {
      indexedDB.deleteDatabase(draftDatabaseOf(basePath(), user.id))
    } catch {
      // The browser has no database, so there are no drafts.
    }
  },
})
