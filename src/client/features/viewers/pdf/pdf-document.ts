import { getDocument, PDFWorker, PasswordResponses, type PDFDocumentProxy } from 'pdfjs-dist'
import pdfWorker from 'pdfjs-dist/build/pdf.worker.min.mjs?worker&url'
import { startWorker } from '../../../api/trusted-sinks.ts'

/**
 * Returns the address of a folder with files of the library. The build puts these folders beside the scripts
 * (`scripts/pdf-files.ts`). A function hides the URL from the bundler, which would look for a file in the source tree.
 */
const addressOf = (folder: string): string => new URL(folder, import.meta.url).href

export type OpenPdf = { readonly document: Promise<PDFDocumentProxy>; readonly close: () => void }

/**
 * Opens a PDF in a worker of its own. Scripts of the document never run, forms are not filled in, and nothing is
 * loaded from another address than that of the document. `askPassword` is called for an encrypted document, and again
 * after each wrong password. The promise is rejected for a file that is not a PDF, and when the server refuses.
 */
export function openPdf(
  url: string,
  askPassword: (options: { readonly isWrong: boolean; readonly answer: (password: string) => void }) => void,
): OpenPdf {
  const port = startWorker(pdfWorker)
  const worker = PDFWorker.create({ port })
  const task = getDocument({
    url,
    worker,
    enableXfa: false,
    // Loaded from our own origin, and only for documents that need them.
    cMapUrl: addressOf('pdf/character-maps/'),
    standardFontDataUrl: addressOf('pdf/fonts/'),
    // The decoders of JBIG2, JPEG 2000 and ICC profiles. The policy of the page, which allows no WebAssembly, does not apply
    // in a worker that was loaded from a file. Browsers without WebAssembly load the decoders in JavaScript instead.
    wasmUrl: addressOf('pdf/decoders/'),
  })
  task.onPassword = (answer: (password: string) => void, reason: number) =>
    askPassword({ isWrong: reason === PasswordResponses.INCORRECT_PASSWORD, answer })
  return {
    document: task.promise,
    close: () => {
      void task.destroy().finally(() => {
        worker.destroy()
        port.terminate()
      })
    },
  }
}
