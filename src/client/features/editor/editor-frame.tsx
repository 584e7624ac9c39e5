import type { ReactNode } from 'react'
import { Columns2, Search, WrapText } from 'lucide'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { keyLabel } from '../../ui/keyboard/key-labels.ts'
import { ViewerFrame } from '../viewers/frame/viewer-frame.tsx'
import type { TextRendering } from '../viewers/text-renderings.ts'

type EditorFrameProps = {
  /** Null for a text that the user may not change. */
  readonly save: { readonly isBusy: boolean; readonly isDirty: boolean; readonly run: () => void } | null
  readonly onSearch: () => void
  readonly isWrapped: boolean
  readonly onWrap: () => void
  /** The rendering of the text, if it has one. */
  readonly rendering: TextRendering | undefined
  readonly isRenderingShown: boolean
  readonly onRendering: () => void
  readonly children: ReactNode
}

/** Lays out the editor below its toolbar. */
export const EditorFrame = ({ save, rendering, children, ...options }: EditorFrameProps) => (
  <ViewerFrame
    look="document"
    ground="screen"
    toolbar={{
      label: t('editor.tools'),
      tools: [
        save !== null && {
          kind: 'slot',
          content: (
            <Button
              kind="primary"
              title={keyLabel('ctrl+s')}
              isBusy={save.isBusy}
              disabled={!save.isDirty}
              onClick={save.run}
            >
              {t('editor.save')}
            </Button>
          ),
        },
        { icon: Search, label: t('editor.search'), run: options.onSearch },
        {
          icon: WrapText,
          label: t('editor.wrap'),
          hint: 'Alt+Z',
          isPressed: options.isWrapped,
          run: options.onWrap,
        },
        rendering !== undefined && {
          icon: Columns2,
          label: t(`editor.form.${rendering.id}`),
          isPressed: options.isRenderingShown,
          run: options.onRendering,
        },
      ],
    }}
  >
    {children}
  </ViewerFrame>
)
