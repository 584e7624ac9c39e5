import { Search } from 'lucide'
import { expect, test } from 'vitest'
import { textOfNames } from '../../../ui/direction/text-of-names.ts'
import { matchingItems, type PaletteItem } from './palette-items.ts'

const item = (label: string, reason?: string): PaletteItem => ({
  id: label,
  section: 'actions',
  label,
  icon: Search,
  reason,
  run: () => undefined,
})
const items = [
  item('Rename', 'Select one item first'),
  item('Parent folder'),
  item('Delete', 'Select an item first'),
  item('Theme: Dark'),
]

test.each([
  // Enter does not go to the parent folder for somebody who wants to rename a file.
  ['ren', ['Rename', 'Parent folder']],
  ['REN', ['Rename', 'Parent folder']],
  ['del', ['Delete']],
  ['e', ['Parent folder', 'Theme: Dark', 'Rename', 'Delete']],
  ['', ['Parent folder', 'Theme: Dark', 'Rename', 'Delete']],
])('“%s” finds actions that cannot run now, after others that match as well', (query, expected) => {
  expect(matchingItems(items, query).map(({ label }) => label)).toEqual(expected)
})

test.each(['docs/old', 'docs / old', 'old', 'ocs/ol', 'صور', 'old/صور'])('“%s” finds a folder', (query) => {
  const found = matchingItems([item('Other / Place'), item(textOfNames(['Docs', 'Old', 'صور']))], query)
  expect(found).toHaveLength(1)
})
