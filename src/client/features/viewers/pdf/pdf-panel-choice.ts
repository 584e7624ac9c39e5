import { createDeviceStore } from '../../../state/device/device-store.ts'

/** The content of the panel beside the pages of a PDF: small pictures of the pages, or the document's table of contents. */
export type PdfPanelView = 'pages' | 'contents'

/** The choice of the user on this device. On phones the panel covers the pages, so that it opens only on request. */
export const pdfPanelChoice = createDeviceStore<PdfPanelView | 'closed'>('pdfPanel', 'pages', [
  'pages',
  'contents',
  'closed',
])
