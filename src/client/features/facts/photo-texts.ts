import { t } from '../../i18n/translate.ts'
import { formatNumber } from '../../i18n/later-formats.ts'
import type { PhotoFacts, PhotoPlace } from '../../../shared/photos/photo-facts.ts'

type Exposure = Pick<PhotoFacts, 'exposureSeconds' | 'fNumber' | 'iso' | 'focalLengthMm'>

/** Returns how a photo was exposed, as photographers write it, for example `1/250 s · f/2.8 · 50 mm · ISO 400`. */
export function exposureText({ exposureSeconds, fNumber, iso, focalLengthMm }: Exposure): string {
  const parts = [
    exposureSeconds !== null && t('prompt.info.exposureTime', { seconds: durationText(exposureSeconds) }),
    fNumber !== null && `f/${formatNumber(fNumber, 1)}`,
    focalLengthMm !== null && t('prompt.info.focalLength', { length: formatNumber(focalLengthMm, 1) }),
    iso !== null && `ISO ${formatNumber(iso, 0)}`,
  ]
  return parts.filter(Boolean).join(' · ')
}

/** Exposures below 0.4 s are written as fractions, such as 1/250. */
const durationText = (seconds: number): string =>
  seconds < 0.4 ? `1/${formatNumber(1 / seconds, 0)}` : formatNumber(seconds, 1)

/** Returns coordinates in degrees with six decimals, which is 0.1 m on the ground. Maps read this text. */
export const placeText = ({ latitude, longitude }: PhotoPlace): string =>
  `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`
