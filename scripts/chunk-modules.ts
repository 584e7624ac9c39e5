import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isLateModule } from './late-modules.ts'

/**
 * Modules that are in one chunk because they are needed together. One chunk compresses better than a chunk for each
 * combination of lazy screens. A module is named by its path below `src` without its ending, which also covers the style
 * sheet of that name, and a path that ends with a slash names all modules below it.
 */
type ChunkModules = readonly string[]

/** Modules that every screen needs. */
const baseModules: ChunkModules = [
  'shared/contract/routes',
  'shared/domain/path',
  'shared/domain/name-bytes',
  'shared/domain/limits/archive-limits',
  'client/api/config',
  'client/api/href',
  'client/api/use-when-reachable',
  'client/i18n/locale',
  'client/router/router',
  'client/router/location',
  'client/router/entry-memory',
  'client/router/use-location',
  'client/state/session',
  'client/state/personal',
  'client/state/store',
  'client/ui/banner',
  'client/ui/class-names',
  'client/ui/credits',
  'client/ui/icon',
  'client/ui/icon-button',
  'client/ui/spinner',
  'client/ui/icons/first-icons',
]

/** Modules that the listing and the page of a share need, also without a folder. */
const sharedPageModules: ChunkModules = [
  'shared/domain/archive-names',
  'shared/domain/names',
  'shared/domain/file-types',
  'client/i18n/format',
  'client/i18n/joined-texts',
  'client/listing/grid/thumbnail-part',
  'client/router/folder-positions',
  'client/router/link',
  'client/state/listed-entry',
  'client/ui/direction/direction',
  'client/ui/file-name',
  'client/ui/file-picture',
  'client/ui/glyphs/',
  'client/ui/kind-word',
]

/** Modules that lists of entries need on all screens: the grid, its rows and its keys. */
const gridModules: ChunkModules = [
  'shared/domain/fold-name',
  'shared/domain/sorting',
  'client/listing/keys/',
  'client/listing/rows/carry-selection',
  'client/listing/rows/column-writes',
  'client/listing/rows/columns',
  'client/listing/rows/compare-entries',
  'client/listing/rows/folder-rows',
  'client/listing/sizes/column-widths',
  'client/listing/sizes/tile-size',
  'client/listing/grid/entry-picture',
  'client/listing/grid/geometry',
  'client/listing/grid/gestures',
  'client/listing/grid/grid',
  'client/listing/grid/grid-cells',
  'client/listing/grid/grid-handle',
  'client/listing/grid/grid-header',
  'client/listing/grid/grid-overlays',
  'client/listing/grid/grid-row',
  'client/listing/grid/grid-rows',
  'client/listing/grid/grid-view',
  'client/listing/grid/listing',
  'client/listing/grid/rendered-rows',
  'client/listing/grid/row-menu-button',
  'client/listing/grid/scroll-position',
  'client/listing/grid/select-in-lists',
  'client/listing/grid/sort-menu',
  'client/listing/grid/use-grid-focus',
  'client/listing/grid/use-grid-geometry',
  'client/listing/grid/use-grid-metrics',
  'client/listing/grid/use-row-gestures',
  'client/listing/grid/use-rubber-band',
  'client/listing/grid/use-scroll-anchor',
  'client/listing/grid/use-scroll-window',
  'client/router/entry-url',
  'client/state/clipboard',
  'client/state/device/density',
  'client/state/row-set',
  'client/state/selection',
  'client/ui/keys',
  'client/ui/use-media',
]

/** Modules that the first rows of the files and several lazy screens need. */
const listingModules: ChunkModules = [
  'shared/domain/ndjson-reader',
  'client/actions/',
  'client/listing/rows/row-stream',
  'client/listing/rows/column-changes',
  'client/listing/rows/folder-loader',
  'client/listing/rows/folder-cache',
  'client/listing/rows/own-changes',
  'client/listing/grid/list-filter',
  'client/listing/grid/shown-listings',
  'client/listing/grid/change-rows',
  'client/operations/download',
  'client/operations/pick-files',
  'client/operations/upload-picked',
  'client/app/late-sidebar-part',
  'client/app/overlays',
  'client/app/sidebar',
  'client/app/sidebar-actions',
  'client/features/files/bars/breadcrumb',
  'client/features/files/bars/crumb-menu',
  'client/features/files/bars/header-actions',
  'client/features/files/bars/new-menu',
  'client/features/files/bars/status-bar',
  'client/features/files/keyboard/list-effects',
  'client/features/files/keyboard/use-keyboard',
  'client/features/files/open-folder/listed-folder',
  'client/features/files/open-folder/use-live-folder',
  'client/features/files/use-position-memory',
  'client/features/files/use-reveal',
  'client/features/files/use-unreachable-path',
  'client/features/search/search-field',
  'client/operations/session/leave',
  'client/features/files/open-folder/action-context',
  'client/features/files/open-folder/address-loader',
  'client/state/context-menu',
  'client/state/prompt',
  'client/state/notices',
  'client/state/open-folder',
  'client/state/pins',
  'client/state/search',
  'client/state/slots',
  'client/state/recent-places',
  'client/state/device/sidebar',
  'client/state/device/key-preferences',
  'client/state/panels/shell',
  'client/state/screens/incoming-uploads',
  'client/ui/menu-button',
  'client/ui/slot',
]

/** Modules that several lazy parts need together, and that need the notices of the listing. */
const copyingModules: ChunkModules = [
  'client/operations/copying/copy-text',
  'client/operations/copying/copy-and-notify',
  'client/state/screens/work-notices',
]

/**
 * Small modules that several lazy parts need, among them parts of the page of a share. None of them imports a module of
 * the listing, which guests would otherwise load.
 */
const helperModules: ChunkModules = [
  'shared/domain/file-kind',
  'shared/domain/utf8',
  'client/i18n/later-formats',
  'client/operations/sending/until-reachable',
  'client/state/entry-changes',
  'client/ui/name-gaps',
  'client/ui/progress-bar',
  'client/ui/use-file-drag',
]

/** Modules with which the search, the filter and the dialog *Go to file* find names. */
const findingModules: ChunkModules = [
  'shared/domain/name-query',
  'client/listing/rows/fetch-hits',
  'client/listing/rows/name-match',
  'client/ui/marked-name',
]

/** The drawings that the listing and the page of a share use. Each would otherwise be in a chunk with few others. */
const sharedIcons =
  /\/lucide\/dist\/esm\/icons\/(arrow-down|arrow-up|chevron-left|chevron-right|download|external-link|house|images|info|layout-grid|list-checks|rows-3)\.m?js$/

const source = fileURLToPath(new URL('../src/', import.meta.url))

/**
 * Returns a function that tells whether a file belongs to the modules. Throws for a module that does not exist: after a
 * file has moved, it would otherwise silently get a chunk of its own, and the first screen would load more.
 */
function isAmong(modules: ChunkModules): (file: string) => boolean {
  for (const name of modules)
    if (!['', '.ts', '.tsx', '.module.css'].some((ending) => existsSync(source + name + ending)))
      throw new Error(`scripts/chunk-modules.ts names ${name}, which does not exist.`)
  const folders = modules.filter((name) => name.endsWith('/'))
  const files = new Set(modules)
  return (file) => {
    if (!file.startsWith(source)) return false
    const name = file.slice(source.length).replace(/(\.module\.css|\.tsx?)$/, '')
    return files.has(name) || folders.some((folder) => name.startsWith(folder))
  }
}

const isSharedPageModule = isAmong(sharedPageModules)

/** The chunks that the build makes of modules which it would otherwise spread over many small ones. */
export const chunkGroups = [
  // Libraries that every screen needs stay cached when our code changes.
  { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\// },
  { name: 'base', test: isAmong(baseModules) },
  { name: 'names', test: (file: string) => isSharedPageModule(file) || sharedIcons.test(file) },
  { name: 'grid', test: isAmong(gridModules) },
  { name: 'listing', test: isAmong(listingModules) },
  { name: 'copying', test: isAmong(copyingModules) },
  { name: 'helpers', test: isAmong(helperModules) },
  { name: 'finding', test: isAmong(findingModules) },
  { name: 'late', test: isLateModule },
]
