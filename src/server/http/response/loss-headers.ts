import { type Loss, lossesText, lossHeader } from '../../../shared/domain/losses.ts'

/** Returns the header that tells a client what a change left out or could not keep. Empty when nothing was lost. */
export const lossHeaders = (losses: readonly Loss[] | undefined): Readonly<Record<string, string>> =>
  losses === undefined || losses.length === 0 ? {} : { [lossHeader]: lossesText(losses) }
