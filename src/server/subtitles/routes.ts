import { getSubtitle } from '../../shared/contract/subtitles.ts'
import { route, type Route } from '../http/route.ts'
import { subtitle } from './subtitle.ts'

/** Subtitles as browsers want them (contract 8.3). */
export const subtitleRoutes: readonly Route[] = [route(getSubtitle, subtitle)]
