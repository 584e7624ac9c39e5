import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { screens } from './screen-sizes.ts'

const client = fileURLToPath(new URL('../src/client/', import.meta.url))

/** The parts of the page that load by themselves after the first rows of the listing. */
const lateViews: readonly string[] = [
  'app/page-keys.tsx',
  'app/sidebar-parts.tsx',
  'app/toasts.tsx',
  'app/transfers.tsx',
  'features/files/bars/listing-layers.tsx',
  'features/files/bars/status-details.tsx',
  'features/files/open-folder/live-updates.ts',
  'features/files/open-folder/preferences.ts',
  'features/uploads/uploads.tsx',
  'state/saved-pins.ts',
]

/** The folders of the parts that people without an account load. */
const guestFolders = ['features/login/', 'features/share-page/', 'features/viewers/']

let late: ReadonlySet<string> = new Set()

/**
 * Finds the modules that only the late views need. Without it, the build makes a chunk of each group of modules that the
 * same views import, and the listing loads sixty small files after its first rows. A module that guests load keeps its
 * own chunk, so that the page of a share does not load the parts of the listing.
 */
export const findLateModules: Plugin = {
  name: 'find-late-modules',
  apply: 'build',
  buildEnd() {
    const importsOf = (id: string, follows: (dynamicId: string) => boolean): readonly string[] => {
      const info = this.getModuleInfo(id)
      return info === null ? [] : [...info.importedIds, ...info.dynamicallyImportedIds.filter(follows)]
    }
    const reachedFrom = (views: readonly string[], follows: (dynamicId: string) => boolean): Set<string> => {
      const reached = new Set(views.map((view) => path.join(client, view)))
      // A set yields the values that are added while it is read.
      for (const id of reached) for (const next of importsOf(id, follows)) reached.add(next)
      return reached
    }
    const first = reachedFrom(['main.tsx', ...screens.flatMap(({ views }) => views)], () => false)
    const guests = reachedFrom(['app/start-share.tsx', 'features/login/login-screen.tsx'], (id) =>
      guestFolders.some((folder) => id.startsWith(client + folder)),
    )
    const reached = reachedFrom(lateViews, () => false)
    late = new Set([...reached].filter((id) => !first.has(id) && !guests.has(id)))
    for (const view of lateViews)
      if (!late.has(path.join(client, view)) || this.getModuleInfo(path.join(client, view)) === null)
        throw new Error(`scripts/late-modules.ts names ${view}, which is missing or is not loaded late.`)
  },
}

/** True when only the late views need a module. It is known when the build writes its chunks. */
export const isLateModule = (file: string): boolean => late.has(file)
