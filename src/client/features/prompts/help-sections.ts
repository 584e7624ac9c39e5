import { isPermitted, type Action } from '../../actions/action.ts'
import { activeKeys } from '../../actions/action-keys.ts'
import { actions } from '../../actions/actions.ts'
import { t, type PlainMessageId } from '../../i18n/translate.ts'
import { may } from '../../state/session.ts'
import { isRightToLeft } from '../../ui/direction/direction.ts'
import { keyParts } from '../../ui/keyboard/key-labels.ts'

/** A line of the help: the ways to trigger something, each with the keys and gestures that belong together. */
export type HelpLine = {
  readonly text: string
  readonly ways: readonly (readonly string[])[]
}

const sectionIds = ['first', 'go', 'files', 'selection', 'screen', 'touch'] as const
export type HelpSection = { readonly id: (typeof sectionIds)[number]; readonly lines: readonly HelpLine[] }

/** The keys of the first section, in the order of the specification. They are printed in capitals there. */
const firstKeys = ['F1', 'F2', 'Delete', 'Escape', 'ctrl+s', 'ctrl+f'] as const

/** The keys that the list and the frame handle themselves, in addition to the keys of the actions. */
const fixedKeys: Readonly<
  Record<'go' | 'selection' | 'screen', readonly (readonly [PlainMessageId, ...string[]])[]>
> = {
  go: [
    ['prompt.help.move', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'],
    ['prompt.help.openSelected', 'Enter'],
    ['prompt.help.quickLook', 'Space'],
    ['prompt.help.openInNewTab', 'ctrl+Enter'],
    ['prompt.help.openFolder', 'ArrowRight'],
    ['prompt.help.leaveFolder', 'ArrowLeft'],
  ],
  selection: [
    ['prompt.help.extend', 'shift+ArrowDown'],
    ['prompt.help.toggle', 'ctrl+Space', 'Insert'],
    ['prompt.help.moveFocusOnly', 'ctrl+ArrowDown'],
  ],
  screen: [
    ['prompt.help.nextRegion', 'F6'],
    ['prompt.help.previousRegion', 'shift+F6'],
    ['prompt.help.contextMenu', 'shift+F10', 'ContextMenu'],
    ['prompt.help.largerTiles', 'ctrl++'],
    ['prompt.help.smallerTiles', 'ctrl+-'],
  ],
}

const goIds = ['search', 'palette', 'go-to-file', 'parent-folder', 'open', 'open-in-new-tab']
const selectionIds = ['select-all', 'select-multiple', 'invert-selection']
const screenIds = ['show-list', 'show-mosaic', 'show-gallery', 'toggle-sidebar', 'shell', 'help']

/**
 * Returns the sections of the help with the keys that work for the current user. The sections are derived from the
 * actions, so they are always complete. On touch screens the gestures come first.
 */
export function helpSections(isTouch: boolean): readonly HelpSection[] {
  const sections = sectionIds.map((id) => ({ id, lines: linesOf(id) }))
  return isTouch ? sections.toSorted((a, b) => Number(b.id === 'touch') - Number(a.id === 'touch')) : sections
}

/** Keeps the lines whose text or keys contain the filter, and the sections that still have lines. */
export function filterSections(sections: readonly HelpSection[], filter: string): readonly HelpSection[] {
  const wanted = plain(filter)
  const matches = ({ text, ways }: HelpLine): boolean =>
    plain(text).includes(wanted) || ways.some((parts) => plain(parts.join('+')).includes(wanted))
  return sections
    .map(({ id, lines }) => ({ id, lines: lines.filter(matches) }))
    .filter(({ lines }) => lines.length > 0)
}

const plain = (text: string): string => text.toLocaleLowerCase().replace(/\s/g, '')

function linesOf(id: HelpSection['id']): readonly HelpLine[] {
  if (id === 'first') return firstLines()
  if (id === 'touch') return touchLines()
  const own = actions.filter((action) => isListed(action) && sectionOf(action) === id).map(lineOf)
  const fixed = id === 'files' ? [] : fixedKeys[id].map(([text, ...keys]) => fixedLine(text, keys))
  return id === 'go'
    ? [...fixed, letterLine(), ...own]
    : [...own, ...fixed, ...(id === 'selection' ? [rangeLine()] : [])]
}

function sectionOf({ id }: Action): 'go' | 'files' | 'selection' | 'screen' {
  if (goIds.includes(id)) return 'go'
  if (selectionIds.includes(id)) return 'selection'
  return screenIds.includes(id) ? 'screen' : 'files'
}

const isListed = (action: Action): boolean => activeKeys(action).length > 0 && isPermitted(action, { may })

const lineOf = (action: Action): HelpLine => ({
  text: t(action.label),
  ways: activeKeys(action).map(keyParts),
})

const fixedLine = (text: PlainMessageId, keys: readonly string[]): HelpLine => ({
  text: t(text),
  ways: keys.map((key) => keyParts(isRightToLeft() ? (mirroredKeys[key] ?? key) : key)),
})

/** The keys that exchange their effects in right-to-left languages. */
const mirroredKeys: Readonly<Record<string, string>> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }

const capitals = (key: string): readonly string[] => keyParts(key).map((part) => part.toLocaleUpperCase())

/** Returns the nine lines of the specification. A line whose action the user may not run is left out. */
function firstLines(): readonly HelpLine[] {
  const click = t('prompt.help.click')
  const keys = firstKeys.filter((key) =>
    actions.some((action) => action.keys.includes(key) && isListed(action)),
  )
  return [
    ...keys.map((key) => ({ text: t(`prompt.help.${key}`), ways: [capitals(key)] })),
    { text: t('prompt.help.selectSeveral'), ways: [[...capitals('ctrl'), click]] },
    { text: t('prompt.help.select'), ways: [[click]] },
    { text: t('prompt.help.open'), ways: [[t('prompt.help.doubleClick')]] },
  ]
}

const letterLine = (): HelpLine => ({ text: t('prompt.help.jump'), ways: [[t('prompt.help.letters')]] })

const rangeLine = (): HelpLine => ({
  text: t('prompt.help.selectRange'),
  ways: [[...keyParts('shift'), t('prompt.help.click')]],
})

const touchLines = (): readonly HelpLine[] => [
  { text: t('prompt.help.touchOpen'), ways: [[t('prompt.help.tap')]] },
  { text: t('prompt.help.touchSelect'), ways: [[t('prompt.help.longPress')]] },
  { text: t('prompt.help.touchMenu'), ways: [[t('prompt.help.longPressSelected')]] },
]
