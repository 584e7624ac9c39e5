import '@vitest/browser-playwright'
import type { BrowserCommand } from 'vitest/node'

/** A file that a test chooses in the picker of the browser. */
export type ChosenFile = { readonly name: string; readonly mimeType: string; readonly base64: string }

/** Chooses a file in the next picker that the page of the test opens. Without this, the browser cancels each picker at once. */
export const chooseNext: BrowserCommand<[file: ChosenFile]> = ({ page }, { name, mimeType, base64 }) => {
  page.once('filechooser', (picker) => {
    void picker.setFiles({ name, mimeType, buffer: Buffer.from(base64, 'base64') })
  })
}
