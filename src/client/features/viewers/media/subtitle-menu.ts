import { Captions, CaptionsOff } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { visibleName } from '../../../ui/visible-name.ts'
import type { ToolMenu } from '../frame/tool.ts'
import type { Subtitle } from '../viewer.ts'
import type { SubtitleSelection } from './subtitles.ts'

/** Returns the menu of the subtitles that are beside a video. */
export const subtitleMenu = (
  subtitles: readonly Subtitle[],
  { chosen, choose }: SubtitleSelection,
): ToolMenu => ({
  kind: 'menu',
  icon: chosen === null ? CaptionsOff : Captions,
  label: t('viewer.subtitles'),
  entries: [
    {
      id: 'off',
      label: t('viewer.subtitlesOff'),
      hint: 'C',
      isChosen: chosen === null,
      run: () => choose(null),
    },
    ...subtitles.map((subtitle) => ({
      id: subtitle.address,
      label: visibleName(subtitle.name),
      isChosen: subtitle.address === chosen?.address,
      run: () => choose(subtitle),
    })),
  ],
})
