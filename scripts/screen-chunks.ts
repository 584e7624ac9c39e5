import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { firstScreens, laterPartsOfGuests, laterScreensOfUsers, picturesOfGuests } from './screen-sizes.ts'

const client = fileURLToPath(new URL('../src/client/', import.meta.url))
const fileOf = (view: string): string => path.join(client, view)

/** The module with which requests get their cache. */
const queryLibrary = fileOf('api/query-client.ts')

const laterScreens = { ...laterScreensOfUsers, ...laterPartsOfGuests }

/** The screens that guests do not load. */
const screensOfUsers: readonly string[] = ['listing', ...Object.keys(laterScreensOfUsers)]
const isForUsers = (name: string): boolean => screensOfUsers.includes(name)

/** The files of the screens of users. Code that guests load, too, has dynamic imports of some. */
const viewsOfUsers = new Set([firstScreens.listing, ...Object.values(laterScreensOfUsers)].flat().map(fileOf))

const isOurs = (id: string): boolean => !id.includes('/node_modules/')
const isReact = (id: string): boolean => /\/node_modules\/(react|react-dom|scheduler)\//.test(id)

/** Modules with less code than this share a chunk where each viewer needs other ones, in characters. */
const smallChars = 3000

/** True for a module of ours with little code that brings no library with it. */
const isSmall = (id: string, info: ModuleFacts | null): boolean =>
  isOurs(id) &&
  (info?.code?.length ?? 0) < smallChars &&
  (info?.importedIds ?? []).every((next) => isOurs(next) || isReact(next))

type ModuleFacts = { readonly code: string | null; readonly importedIds: readonly string[] }

/** The names of the chunks of the modules that one or several screens need. */
const chunkOf = new Map<string, string>()

/**
 * Puts modules into chunks. All modules that the same screens need are in one chunk, so that a screen loads few files and
 * nothing of another screen. Code that every page needs counts for no screen, and code of the first screens does not count
 * for the later ones. The rest keeps the chunks that the bundler makes: one for each viewer, and those that several viewers
 * share.
 */
export const findScreenChunks: Plugin = {
  name: 'find-screen-chunks',
  apply: 'build',
  buildEnd() {
    const reachedFrom = (views: readonly string[], follows: (id: string) => boolean): Set<string> => {
      const reached = new Set(views.map(fileOf))
      // A set yields the values that are added while it is read.
      for (const id of reached) {
        const info = this.getModuleInfo(id)
        if (info === null) continue
        for (const next of info.importedIds) reached.add(next)
        for (const next of info.dynamicallyImportedIds) if (follows(next)) reached.add(next)
      }
      return reached
    }
    const screensOf = (
      screens: Readonly<Record<string, readonly string[]>>,
    ): ReadonlyMap<string, readonly string[]> => {
      const found = new Map<string, string[]>()
      for (const [name, views] of Object.entries(screens)) {
        for (const view of views)
          if (this.getModuleInfo(fileOf(view)) === null)
            throw new Error(`scripts/screen-sizes.ts names ${view}, which is missing.`)
        for (const id of reachedFrom(views, () => false)) found.set(id, [...(found.get(id) ?? []), name])
      }
      return found
    }
    const first = screensOf(firstScreens)
    const later = screensOf(laterScreens)
    const base = reachedFrom(['main.tsx'], () => false)
    const guestParts = reachedFrom(
      [...firstScreens.share, ...laterScreens.guest],
      (id) => !viewsOfUsers.has(id) && !firstScreens.folder.map(fileOf).includes(id),
    )
    const pictures = reachedFrom([picturesOfGuests], () => false)
    const needsQueries = (id: string): boolean =>
      reachedFrom([path.relative(client, id)], () => false).has(queryLibrary)
    const nameOf = (id: string): string | null => {
      if (base.has(id)) return 'base'
      const names = first.get(id)
      const laterNames = later.get(id) ?? []
      if (names === undefined) {
        if (laterNames.length === 0) return null
        if (!laterNames.every(isForUsers)) return laterNameOf(laterNames)
        if (guestParts.has(id))
          return isSmall(id, this.getModuleInfo(id)) && !needsQueries(id) ? 'later-viewer' : null
        // A shared folder would load the screens of users with these modules.
        return pictures.has(id) ? 'later-pictures' : laterNameOf(laterNames)
      }
      if (names.includes('listing') && names.includes('login')) return 'base'
      if (names.includes('listing') && names.includes('share')) return 'listing-share'
      // Another screen does not load the rest of these chunks with the module. A file that a guest opens does not load the folder.
      const isOpened = !names.includes('share') && laterNames.includes('preview')
      const isElsewhere = names.includes('listing')
        ? guestParts.has(id)
        : isOpened || laterNames.some(isForUsers)
      const other = laterNames.includes('drop') ? 'drop' : 'viewer'
      return [...names, ...(isElsewhere ? [other] : [])].join('-')
    }
    chunkOf.clear()
    for (const id of this.getModuleIds()) {
      const name = id === fileOf('main.tsx') ? null : nameOf(id)
      if (name !== null) chunkOf.set(id, name)
    }
  },
}

/**
 * Returns the chunk of a module that no first screen needs. Chunks of few modules are joined where that makes no screen load much
 * more.
 */
function laterNameOf(names: readonly string[]): string {
  const guests = names.filter((name) => !isForUsers(name))
  if (names.length === 1 || guests.length === names.length) return names.join('-')
  if (guests.includes('drop') && !guests.includes('preview')) return 'later-drop'
  return ['users', ...guests].join('-')
}

/** The groups of modules from which the bundler makes chunks. */
export const chunkGroups = [
  // Libraries that every screen needs stay cached when our code changes.
  { name: 'react', test: isReact },
  // The package is imported by one module, so that each of its hooks counts for each screen with a request.
  { name: 'queries', test: /\/node_modules\/@tanstack\// },
  { debugName: 'screens', name: (id: string) => chunkOf.get(id) ?? null },
]
