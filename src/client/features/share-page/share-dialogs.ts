import { lazyModule } from '../../state/parts/lazy-part.ts'

const dialogs = lazyModule(async () => (await import('./dialogs.ts')).shareDialogs)

/** The dialogs of the page of a share, whose code is loaded when a guest opens the first one. */
export const FormatDialog = dialogs.part((module) => module.FormatDialog)
export const ShareDetails = dialogs.part((module) => module.ShareDetails)
