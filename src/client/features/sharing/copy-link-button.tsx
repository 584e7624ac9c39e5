import { useEffect, useState } from 'react'
import { Check, Copy } from 'lucide'
import { t } from '../../i18n/translate.ts'
import { copyText } from '../../operations/copying/copy-text.ts'
import { Button } from '../../ui/button.tsx'

/** The time in ms for which the button says that the link was copied, which is long enough to read it. */
const outcomeMs = 3000

type CopyLinkButtonProps = {
  readonly url: string
  readonly isFocused: boolean
  /** True when the link was copied while it was created, false when the browser refused that, and null otherwise. */
  readonly wasCopied: boolean | null
}

/**
 * Copies a link. The button itself says so for a few seconds, because notices are behind the dialog. When the browser
 * copies nothing, the button says that the address has to be selected.
 */
export function CopyLinkButton({ url, isFocused, wasCopied }: CopyLinkButtonProps) {
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'failed'>(
    wasCopied === null ? 'none' : wasCopied ? 'copied' : 'failed',
  )
  useEffect(() => {
    if (outcome !== 'copied') return undefined
    const timer = setTimeout(() => setOutcome('none'), outcomeMs)
    return () => clearTimeout(timer)
  }, [outcome])
  return (
    <>
      <Button
        kind={outcome === 'copied' ? 'secondary' : 'primary'}
        icon={outcome === 'copied' ? Check : Copy}
        ref={(button) => {
          if (isFocused) button?.focus()
        }}
        onClick={() => void copyText(url).then((isCopied) => setOutcome(isCopied ? 'copied' : 'failed'))}
      >
        {t(`share.copy.${outcome}`)}
      </Button>
      {/* A live region inside of the button would leave the button without a name. */}
      <output className="visually-hidden">{outcome !== 'none' && t(`share.copy.${outcome}`)}</output>
    </>
  )
}
