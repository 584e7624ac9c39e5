import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually, focusOf, namesShown } from './journeys.ts'

const files = {
  Docs: { 'inside.txt': '1' },
  'clip.txt': 'c',
  'info.txt': 'i',
  'report.txt': 'r',
  'z.txt': 'z',
}

const { version } = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../package.json'), 'utf8'),
) as { readonly version: string }

/** The nine lines of the specification, as the help shows them. */
const specifiedLines = [
  'F1: This information',
  'F2: Rename file',
  'DEL: Delete selected items',
  'ESC: Clear selection and/or close the prompt',
  'CTRL + S: Save a file or download the folder where you are',
  'CTRL + F: Opens search',
  'CTRL + Click: Select multiple files or folders',
  'Click: Select file or folder',
  'Double click: Open a file or folder',
]

/** Returns the lines of the open help: the ways to do something, each as key labels that are joined by ` + `. */
const linesOf = (page: Page, section = 'section') =>
  page.getByRole('dialog').evaluate(
    (dialog, selector) =>
      [...dialog.querySelectorAll(`${selector} dl > div`)].map((line) => ({
        ways: [...line.querySelectorAll('dt > span')].map((way) =>
          [...way.querySelectorAll('kbd')].map((key) => key.textContent).join(' + '),
        ),
        text: line.querySelector('dd')?.textContent ?? '',
      })),
    section,
  )

const keyNames: Readonly<Record<string, string>> = {
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  '→': 'ArrowRight',
  '←': 'ArrowLeft',
  '?': '?',
  '/': '/',
  CTRL: 'Control',
  Ctrl: 'Control',
  DEL: 'Delete',
  Del: 'Delete',
  ESC: 'Escape',
  Esc: 'Escape',
  Menu: 'ContextMenu',
  'Page up': 'PageUp',
  'Page down': 'PageDown',
}

/** Returns key labels of the help in the form that the browser driver presses: `Ctrl + Shift + 1` is `Control+Shift+Digit1`. */
const pressable = (way: string): string =>
  way
    .split(' + ')
    .map((key) => keyNames[key] ?? key.replace(/^[A-Z]$/, 'Key$&').replace(/^\d$/, 'Digit$&'))
    .join('+')

const openHelp = async (page: Page) => {
  await page.keyboard.press('F1')
  await page.getByRole('dialog', { name: 'Help' }).waitFor()
}

atRoot({ files }, ({ server, window }) => {
  const openRoot = async () => {
    const page = await window()
    await signIn(page, server(), ann)
    await rowOf(page, /report\.txt/).click()
    return page
  }

  // Journey: help-1
  test('the help has the nine lines of the specification, the version and a filter, Escape gives the focus back, and letters jump until the help lets them run actions', async () => {
    const page = await openRoot()
    await openHelp(page)
    const first = await linesOf(page, '[data-section="first"]')
    expect(first.map(({ ways, text }) => `${ways.join()}: ${text}`)).toEqual(specifiedLines)
    await page.getByRole('dialog').getByText(`Stowage ${version}`, { exact: true }).waitFor()
    await page.keyboard.type('palette')
    expect(await linesOf(page)).toEqual([{ ways: ['Ctrl + K'], text: 'Command palette' }])
    await page.keyboard.type('x')
    await page.getByText('No key or gesture matches.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await eventually(() => focusOf(page), 'MAIN report.txt')

    // A letter jumps to a name, until the help lets letters run actions.
    await page.keyboard.press('i')
    await eventually(() => focusOf(page), 'MAIN info.txt')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await openHelp(page)
    await page.getByRole('checkbox', { name: /^Press I for info and M to move/ }).press('Space')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await eventually(() => focusOf(page), 'MAIN info.txt')
    await page.keyboard.press('i')
    await page.getByRole('dialog', { name: 'File information' }).waitFor()
  })

  // Journey: help-2
  test('every line of the help can be done by its keys, without the mouse', async () => {
    const page = await openRoot()
    await openHelp(page)
    const lines = (await linesOf(page)).filter(
      ({ ways }) => !/click|tap|long press|letters/i.test(ways.join()),
    )
    await page.keyboard.press('Escape')
    const effects = effectsOn(page)
    expect(lines.map(({ text }) => text).filter((text) => effects[text] === undefined)).toEqual([])
    // Some actions have two lines with the same keys, which are pressed once.
    const pressed = new Map<EffectOfKeys | undefined, string[]>()
    for (const { ways, text } of lines)
      for (const way of ways) {
        const earlier = pressed.get(effects[text]) ?? []
        if (earlier.includes(pressable(way))) continue
        pressed.set(effects[text], [...earlier, pressable(way)])
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await page.keyboard.press('End')
        await page.keyboard.press('ArrowUp')
        await eventually(() => focusOf(page), 'MAIN report.txt')
        await effects[text]?.(pressable(way)).catch((error: unknown) => {
          throw new Error(`${way} does not do this: ${text}`, { cause: error })
        })
      }
    expect(readdirSync(server().folder).toSorted()).toEqual([
      'Docs',
      'clip.txt',
      'info.txt',
      'report(1).txt',
      'report(2).txt',
      'report.txt',
      'z.txt',
    ])
  })
})

type EffectOfKeys = (keys: string) => Promise<unknown>

type KeyEffects = Readonly<Record<string, EffectOfKeys>>

/**
 * Returns for each line of the help a function that presses keys, waits for what the line says, and restores the state
 * before. At the start, `report.txt` is the last row but one, is selected, and has the focus.
 */
function effectsOn(page: Page): KeyEffects {
  return { ...effectsInPrompts(page), ...effectsInList(page), ...effectsOnScreen(page) }
}

function effectsInPrompts(page: Page): KeyEffects {
  const opens = (name: string | RegExp) => async (keys: string) => {
    await page.keyboard.press(keys)
    await page.getByRole('dialog', { name }).waitFor()
    await eventually(
      () => page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null),
      true,
    )
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  const renames = async (keys: string) => {
    await page.keyboard.press(keys)
    const field = page.getByRole('row').getByRole('textbox')
    await eventually(() => field.inputValue(), 'report.txt')
    // The field takes the focus a moment after it appears.
    await eventually(() => field.evaluate((input) => input === document.activeElement), true)
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
  }
  const downloads = async (keys: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press(keys)])
    expect(download.suggestedFilename()).toBe('report.txt')
  }
  const searches = async (keys: string) => {
    await page.keyboard.press(keys)
    await eventually(() => focusOf(page), 'HEADER Search')
    await page.keyboard.press('Escape')
    await eventually(() => focusOf(page), 'MAIN report.txt')
  }
  const opensHelp = opens('Help')
  const asksToDelete = opens(/report\.txt/)
  return {
    'This information': opensHelp,
    Help: opensHelp,
    'Rename file': renames,
    Rename: renames,
    'Delete selected items': asksToDelete,
    Delete: asksToDelete,
    'Save a file or download the folder where you are': downloads,
    Download: downloads,
    'Download as…': async (keys) => {
      await page.keyboard.press('Control+a')
      await opens('Download files')(keys)
    },
    'Opens search': searches,
    Search: searches,
    'Command palette': opens('Command palette'),
    'Go to file': opens('Go to file'),
    Upload: opens('Upload'),
    Info: opens('File information'),
    'New folder': opens('New folder'),
    'New file': opens('New file'),
  }
}

function effectsInList(page: Page): KeyEffects {
  const selected = () =>
    page
      .locator('[role="row"][aria-selected="true"]')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-name')))
  const selects =
    (...names: string[]) =>
    async (keys: string) => {
      await page.keyboard.press(keys)
      await eventually(selected, names)
    }
  const clears = selects()
  const goesTo = (address: RegExp) => async (keys: string) => {
    await page.keyboard.press(keys)
    await page.waitForURL(address)
  }
  const goesUp = async (keys: string) => {
    await page.keyboard.press('Home')
    await goesTo(/\/Docs\/$/)('Enter')
    await rowOf(page, /inside\.txt/).waitFor()
    await goesTo(/\/files\/$/)(keys)
    await rowOf(page, /report\.txt/).waitFor()
  }
  const addsCopy = async (keys: string) => {
    const count = await page.getByRole('row', { name: /^report/ }).count()
    await page.keyboard.press(keys)
    await eventually(() => page.getByRole('row', { name: /^report/ }).count(), count + 1)
  }
  const marksClipboard = async (keys: string) => {
    await page.keyboard.press(keys)
    await page.locator('[data-part="clipboard"]').getByText('report.txt').waitFor()
  }
  return {
    'Move through the list': async (keys) => {
      const all = await namesShown(page)
      const rowAfterKeys: Readonly<Record<string, string | undefined>> = {
        ArrowUp: all.at(-3),
        Home: 'Docs',
        PageUp: 'Docs',
      }
      await page.keyboard.press(keys)
      await eventually(() => focusOf(page), `MAIN ${rowAfterKeys[keys] ?? 'z.txt'}`)
    },
    'Open the focused item': async (keys) => {
      await goesTo(/report\.txt$/)(keys)
      await page.goBack()
      await rowOf(page, /report\.txt/).waitFor()
    },
    'Open the focused item in a new tab': async (keys) => {
      const [tab] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press(keys)])
      await tab.waitForURL(/report\.txt$/)
      await tab.close()
    },
    'Open the focused folder in the list view': async (keys) => {
      await page.keyboard.press('Home')
      await goesTo(/\/Docs\/$/)(keys)
      await rowOf(page, /inside\.txt/).waitFor()
      await goesTo(/\/files\/$/)('Backspace')
      await rowOf(page, /report\.txt/).waitFor()
    },
    'Go to the parent folder in the list view': goesUp,
    'Parent folder': goesUp,
    Cut: marksClipboard,
    Copy: marksClipboard,
    Paste: addsCopy,
    Duplicate: addsCopy,
    'Clear selection and/or close the prompt': clears,
    Clear: clears,
    'Select all': async (keys) => selects(...(await namesShown(page)))(keys),
    'Invert selection': async (keys) => {
      const others = (await namesShown(page)).filter((name) => name !== 'report.txt')
      await selects(...others)(keys)
    },
    'Extend the selection': selects('report.txt', 'z.txt'),
    'Select or deselect the focused item': selects(),
    Preview: async (keys) => {
      await page.keyboard.press(keys)
      const panel = page.getByRole('region', { name: 'Preview: report.txt' })
      await panel.waitFor()
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'detached' })
    },
    'Move without selecting': async (keys) => {
      await selects('report.txt')(keys)
      await eventually(() => focusOf(page), 'MAIN z.txt')
    },
  }
}

function effectsOnScreen(page: Page): KeyEffects {
  const size = page.getByRole('columnheader', { name: 'Size' })
  const shows = (view: 'list' | 'cards' | 'tiles') => async (keys: string) => {
    if (view === 'list') await page.keyboard.press('Control+Shift+Digit2')
    await page.keyboard.press(keys)
    await eventually(() => size.isVisible(), view === 'list')
    await page.keyboard.press('Control+Shift+Digit1')
    await size.waitFor()
  }
  const resizesTiles = (sign: 1 | -1) => async (keys: string) => {
    const sizePx = () => page.evaluate(() => Number(localStorage.getItem('tile-size') ?? 200))
    await page.keyboard.press('Control+Shift+Digit3')
    const before = await sizePx()
    await page.keyboard.press(keys)
    await eventually(async () => Math.sign((await sizePx()) - before), sign)
    await page.keyboard.press('Control+Shift+Digit1')
    await size.waitFor()
  }
  const movesTo = (region: string, back: string) => async (keys: string) => {
    await page.keyboard.press(keys)
    await eventually(async () => (await focusOf(page)).startsWith(region), true)
    await page.keyboard.press(back)
    await eventually(() => focusOf(page), 'MAIN report.txt')
  }
  return {
    'Show as list': shows('list'),
    'Show as mosaic': shows('cards'),
    'Show as gallery': shows('tiles'),
    'Toggle sidebar': async (keys) => {
      const width = async () => (await page.getByRole('navigation', { name: 'Main' }).boundingBox())?.width
      const before = await width()
      await page.keyboard.press(keys)
      await eventually(width, 56)
      await page.keyboard.press(keys)
      await eventually(width, before)
    },
    'Go to the next part of the screen': movesTo('HEADER', 'Shift+F6'),
    'Go to the previous part of the screen': movesTo('NAV', 'F6'),
    'Larger tiles in the gallery': resizesTiles(1),
    'Smaller tiles in the gallery': resizesTiles(-1),
    'Open the menu of the focused item': async (keys) => {
      await page.keyboard.press(keys)
      await page.getByRole('menu', { name: 'Actions for the selection' }).waitFor()
      await page.keyboard.press('Escape')
      await eventually(() => focusOf(page), 'MAIN report.txt')
    },
  }
}
