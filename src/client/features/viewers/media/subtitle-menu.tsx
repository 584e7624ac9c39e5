import { Captions, CaptionsOff } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { MenuButton } from '../../../ui/menu-button.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import type { Subtitle } from '../viewer.ts'
import type { SubtitleSelection } from './subtitles.ts'

type SubtitleMenuProps = {
  readonly subtitles: readonly Subtitle[]
  readonly selection: SubtitleSelection
}

/** Renders the menu of the subtitles that are beside a video. */
export const SubtitleMenu = ({ subtitles, selection: { chosen, choose } }: SubtitleMenuProps) => (
  <MenuButton
    icon={chosen === null ? CaptionsOff : Captions}
    label={t('viewer.subtitles')}
    placement="top end"
    entries={[
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
    ]}
  />
)
