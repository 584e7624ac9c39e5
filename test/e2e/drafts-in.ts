import type { Page } from 'playwright-core'

/** Returns the number of drafts that the browser has stored for all people. */
export const draftsIn = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const names = (await indexedDB.databases()).flatMap(({ name }) =>
      name?.startsWith('drafts ') ? [name] : [],
    )
    const counts = names.map(
      (name) =>
        new Promise<number>((resolve) => {
          const opening = indexedDB.open(name)
          opening.addEventListener('success', () => {
            const database = opening.result
            if (database.objectStoreNames.length === 0) {
              database.close()
              return resolve(0)
            }
            const count = database.transaction('drafts').objectStore('drafts').count()
            count.addEventListener('success', () => {
              database.close()
              resolve(count.result)
            })
          })
        }),
    )
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
  })
