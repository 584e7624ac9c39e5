import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'

const client = path.resolve(import.meta.dirname, '..')

/**
 * Page state that may be kept after a logout, with the reason. All other state of modules must belong to the signed-in
 * user.
 */
const sharedStates: Readonly<Record<string, string>> = {
  'api/address-refusal.ts addressRefusal': 'the address of the server as this browser has it',
  'api/session.ts automaticRefusal': 'the status of a login without a name',
  'features/files/badges/twin-rows.ts known': 'weak entries that are found only by the listing of the person',
  'features/viewers/zip/zip-directory.ts dosSystems': 'a constant',
  'features/viewers/markup/drawing-cost.ts copiedNames': 'a constant',
  'features/viewers/markdown/markdown-worker.ts parts':
    'the state of a worker, which reads one document and is ended after it',
  'api/config.ts read': 'the configuration of the page, the same for everybody',
  'api/renewal.ts running': 'a request in flight, whose answer counts only for the token that it renews',
  'state/parts/lazy-part.ts failedSheets': 'style sheets, which are the same for everybody',
  'app/held-keys.ts isHolding': 'whether code has arrived, which is the same for everybody',
  'app/use-is-after-rows.ts hasBegun': 'whether code was requested, which is the same for everybody',
  'app/use-notice-place.ts noLayers': 'a constant',
  'app/start.tsx lastUserId': 'tells one person from the next',
  'features/share-page/guest-listing.ts guestListing': 'a list on the page of a share, which knows no person',
  'features/share-page/entry-sorter.ts entrySorter': 'a function of the program',
  'features/share-page/share-download.ts failedDownload':
    'a refusal on the page of a share, which knows no person',
  'features/share-page/share-download.ts knownDownloads':
    'numbers on the page of a share, which knows no person',
  'features/share-page/sorted-entries.ts sorted':
    'weak entries that are found only by the response of a share, whose page knows no person',
  'features/files/keyboard/use-keyboard.ts lastInputKind': 'the device of the last input',
  'i18n/format.ts clock': 'the present time',
  'features/login/challenge.tsx widget': 'the number of a widget on the login form',
  'api/automatic-login.ts lastAttemptMs': 'a moment',
  'features/files/open-folder/listed-folder.ts receivingFolders':
    'weak entries that are found only by the open folder, which is bound to the person',
  'features/files/open-file/use-siblings.ts siblingTypes': 'a constant',
  'features/files/open-file/use-siblings.ts noColumns': 'an empty folder',
  'features/prompts/palette/first-choice.ts firstChoice': 'a context whose default is a constant',
  'features/shell/use-shell.ts lastId': 'a number that is never used twice',
  'listing/tree/tree-rows.ts initialExpansion': 'a constant',
  'features/viewers/media/audio-viewer.tsx audioTypes': 'a constant',
  'ui/kinds/format-word.ts nameOfExtension': 'a constant',
  'features/viewers/table/table-worker.ts answer': 'lives in a worker, which ends with the table on screen',
  'features/viewers/tiff/tiff-worker.ts answer': 'lives in a worker, which ends with the image on screen',
  'features/viewers/tree/json-worker.ts answer': 'lives in a worker, which ends with the tree on screen',
  'features/viewers/zip/raster-image.ts rasterTypes': 'a constant',
  'features/viewers/markdown/markdown-page.tsx complete': 'weak entries of the document on screen',
  'i18n/locale.ts formatters': 'formatters by language',
  'i18n/locale.ts locale': 'the language on screen, which `onSession` sets for each person',
  'i18n/languages.ts loadedParts': 'parts of the catalogue, which are the same for everybody',
  'i18n/languages.ts translations': 'texts by language, which are the same for everybody',
  'i18n/languages.ts wantedTag': 'the language on screen, which `onSession` sets for each person',
  'app/user-language.ts waiting': 'the language of the last session, which the next session replaces',
  'app/user-language.ts hasFollowed': 'whether the page has started',
  'features/settings/audit/field-labels.ts fieldsOfUsers': 'a constant',
  'features/settings/audit/field-labels.ts fieldsOfSettings': 'a constant',
  'features/settings/profile/use-password-change.ts isShown': 'whether a form is on screen',
  'i18n/languages.ts hasFailed': 'whether texts could not be loaded',
  'state/parts/text-loading.ts loads': 'texts that are being loaded',
  'i18n/languages.ts english': 'the English texts, which are the same for everybody',
  'i18n/languages.ts inPseudoLocale': 'a translation of texts, which is the same for everybody',
  'i18n/translate.ts texts': 'the texts of the language on screen',
  'listing/grid/shown-listings.ts folderListing': 'a list whose stores all belong to the person',
  'listing/grid/shown-listings.ts foundListing': 'a list whose stores all belong to the person',
  'listing/grid/use-grid-metrics.ts lastSize': 'the size of an element on screen',
  'listing/thumbnails/use-poster.ts posters': 'pictures in memory, which are registered and dropped',
  'listing/taken/dated-columns.ts dated':
    'weak entries that are found only by the rows of a folder, which are bound to the person',
  'listing/tiles/use-gallery-facts.ts noProportions': 'a constant',
  'listing/tiles/show-tiles.ts parts': 'code that has arrived, which is the same for everybody',
  'listing/rows/folder-rows.ts sums':
    'weak entries that are found only by a selection, which is bound to the person',
  'state/notices.ts lastId': 'a number',
  'state/personal.ts registered': 'the register itself',
  'state/personal.ts owner': 'the register itself',
  'state/personal.ts isPaused': 'the register itself',
  'state/page-title.ts title':
    'the title of the page on screen, which each page sets when it opens and closes',
  'state/session.ts session': 'who is signed in',
  'state/device/sidebar.ts isDrawerOpen': 'whether the sidebar covers the page',
  'state/slots.ts slots': 'elements of the frame, which is mounted anew for each person',
  'features/settings/form/setting-search.ts SettingSearch': 'a context whose default is a constant',
  'ui/file-frame/tool-place.ts ToolPlace': 'a context whose default is a constant',
  'ui/keyboard/key-scopes.ts scopes': 'what is on screen and handles keys',
  'ui/glyphs/file-icon.ts glyphOfExtension': 'the glyphs of file extensions',
}

/**
 * Returns the top-level declarations that can keep state from one user to the next: variables, collections, and objects
 * that a factory creates. Events keep nothing.
 */
const stateOf = (text: string): string[] =>
  [
    ...text.matchAll(
      /^(?:export )?(?:let (\w+)|const (\w+)\b[^=]*=\s*(?:create(?!PersonalStore|DeviceStore|Event\b)[A-Z]|new (?:Map|Set|WeakMap|QueryClient)\b|\[\]|setup))/gm,
    ),
  ].map(([, variable, constant]) => variable ?? constant ?? '')

const sources = readdirSync(client, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll(path.sep, '/'))
  .filter((file) => /\.tsx?$/.test(file) && !/\.(test|d)\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(client, file), 'utf8') }))

test('every state of the client is bound to the signed-in person, or listed as shared with a reason', () => {
  const unbound = sources
    .filter(({ text }) => !/^registerPersonal\(/m.test(text))
    .flatMap(({ file, text }) => stateOf(text).map((name) => `${file} ${name}`))
    .filter((state) => !(state in sharedStates))
  expect(unbound).toEqual([])
})

test('the list of shared states names only what is there', () => {
  const states = sources.flatMap(({ file, text }) => stateOf(text).map((name) => `${file} ${name}`))
  expect(Object.keys(sharedStates).filter((state) => !states.includes(state))).toEqual([])
})

test.each([
  ['const names = new Map<string, string>()', ['names']],
  ['export const opened = createStore<string | null>(null)', ['opened']],
  ['let last: string | null = null', ['last']],
  ['const waiting: string[] = []', ['waiting']],
  ['export const prompt = createPersonalStore(0)', []],
  ['export const pressed = createEvent<KeyboardEvent>()', []],
  ['  let inside = 0', []],
])('the scan judges "%s" rightly', (text, expected) => {
  expect(stateOf(text)).toEqual(expected)
})

const register = async () => {
  vi.resetModules()
  return import('./personal.ts')
}

test('a drop aborts the work of the person and empties the stores; what starts afterwards belongs to the next', async () => {
  const { createPersonalStore, dropPersonal, userSignal: personSignal } = await register()
  const names = createPersonalStore<readonly string[]>([])
  names.set(['letter.txt'])
  const before = personSignal()
  dropPersonal()
  expect([names.get(), before.aborted, personSignal().aborted]).toEqual([[], true, false])
})

test('a state that registers during a pause is paused, and a drop ends the pause', async () => {
  const { dropPersonal, pausePersonal, registerPersonal, resumePersonal } = await register()
  const calls: string[] = []
  pausePersonal()
  registerPersonal({
    drop: () => calls.push('drop'),
    pause: () => calls.push('pause'),
    resume: () => calls.push('resume'),
  })
  resumePersonal()
  dropPersonal()
  registerPersonal({ drop: () => undefined, pause: () => calls.push('late pause') })
  expect(calls).toEqual(['pause', 'resume', 'drop'])
})

test('unfinished files are counted over all states', async () => {
  const { registerPersonal, unfinishedFiles } = await register()
  const counts = [3, 4]
  // Later tests in this process see the same register.
  onTestFinished(() => void counts.fill(0))
  registerPersonal({ drop: () => undefined, unfinished: () => counts[0] ?? 0 })
  registerPersonal({ drop: () => undefined })
  registerPersonal({ drop: () => undefined, unfinished: () => counts[1] ?? 0 })
  expect(unfinishedFiles()).toBe(7)
})
