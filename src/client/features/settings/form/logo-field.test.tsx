import { expect, test } from 'vitest'
import { commands, page } from 'vitest/browser'
import { showSettings } from '../../../../../test/components/show-settings.tsx'
import { limits } from '../../../../shared/domain/limits.ts'
import { call, callJson } from '../../../api/call.ts'
import { t } from '../../../i18n/translate.ts'
import { LogoField } from './logo-field.tsx'

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="40"><rect width="9" height="9"/></svg>'
const removal = () => page.getByRole('button', { name: t('settings.logo.remove') })
const isStored = async (): Promise<boolean> => (await callJson('settings.has-logo')).isStored
/** The logos on the page, on the background of each theme. They have no name, since the field's label names them. */
const shownLogos = (): HTMLImageElement[] =>
  [...document.querySelectorAll('fieldset img')] as HTMLImageElement[]

async function showField(): Promise<void> {
  const { end } = await showSettings(null)
  end()
  await call('settings.remove-logo')
  await showSettings(<LogoField />)
  await expect.element(page.getByRole('button', { name: t('settings.logo.upload') })).toBeVisible()
}

/** Presses the button and chooses a file in the browser's picker. */
async function choose(name: string, mimeType: string, text: string): Promise<void> {
  await commands.chooseNext({ name, mimeType, base64: btoa(text) })
  await page.getByRole('button', { name: t('settings.logo.upload') }).click()
}

test('a chosen logo is stored at once, is shown in place of the one before, and can be removed', async () => {
  await showField()
  expect(removal().elements()).toEqual([])
  await choose('ours.svg', 'image/svg+xml', logo)
  await expect.element(removal()).toBeVisible()
  expect(await isStored()).toBe(true)
  await expect
    .poll(() => shownLogos().map((image) => image.naturalWidth / image.naturalHeight))
    .toEqual([4, 4])
  await removal().click()
  await expect.element(removal()).not.toBeInTheDocument()
  expect(await isStored()).toBe(false)
  await expect
    .poll(() => shownLogos().map((image) => image.naturalWidth / image.naturalHeight))
    .not.toContain(4)
})

test('a file that is no picture is named and not stored', async () => {
  await showField()
  await choose('ours.png', 'image/png', 'a text')
  await expect.element(page.getByRole('alert')).toHaveTextContent(t('settings.logo.noPicture'))
  expect(await isStored()).toBe(false)
})

test('a logo that is too large is refused with the limit', async () => {
  await showField()
  await choose('ours.png', 'image/png', 'x'.repeat(limits.logoBytes + 1))
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('This picture is too large. A logo may have 256 KB.')
  expect(await isStored()).toBe(false)
})
