import { useState } from 'react'
import type { ReactNode } from 'react'
import type { CallOutput } from '../../shared/contract/contract.ts'
import { useAction } from '../client/queries.ts'
import { isWebAddress } from '../client/web-address.ts'
import { useLanguage } from '../messages/language.tsx'
import { Button, TextField } from './controls.tsx'
import { Callout } from './page.tsx'
import { SetByAdministrator } from './set-by-administrator.tsx'

/** `secretFor`: the address that the stored secret belongs to; null when none is stored. */
export type ConnectionDraft = {
  id: number | null
  name: string
  baseUrl: string
  clientId: string
  clientSecret: string
  secretFor: string | null
}

export const emptyConnection: ConnectionDraft = {
  id: null,
  name: '',
  baseUrl: 'https://',
  clientId: '',
  clientSecret: '',
  secretFor: null,
}

/** A stored secret is for its server only: for another scheme, host or port it is typed again. Pure. */
function isSecretNeeded({ baseUrl, secretFor }: ConnectionDraft): boolean {
  return (
    secretFor === null || (isWebAddress(baseUrl) && new URL(baseUrl.trim()).origin !== URL.parse(secretFor)?.origin)
  )
}

/**
 * True when everything is there that a connection needs; a secret that is stored for its server need not be typed
 * again. Pure.
 */
export function isComplete(draft: ConnectionDraft): boolean {
  return (
    isWebAddress(draft.baseUrl) && draft.clientId.trim() !== '' && (draft.clientSecret !== '' || !isSecretNeeded(draft))
  )
}

function trimmedUrl(baseUrl: string): string {
  return baseUrl.trim().replace(/\/+$/, '')
}

/** The input of `connections.save` for what was typed; without a name the host stands for it. Pure. */
export function connectionInput(draft: ConnectionDraft): {
  id: number | null
  name: string
  baseUrl: string
  clientId: string
  clientSecret?: string
} {
  const baseUrl = trimmedUrl(draft.baseUrl)
  const name = draft.name.trim() || new URL(baseUrl).host
  return {
    id: draft.id,
    name,
    baseUrl,
    clientId: draft.clientId.trim(),
    ...(draft.clientSecret === '' ? {} : { clientSecret: draft.clientSecret }),
  }
}

/** Address and credentials of a platform account, with a test that asks it for a token and for its models. */
export function ConnectionFields({
  draft,
  onChange,
}: {
  draft: ConnectionDraft
  onChange: (draft: ConnectionDraft) => void
}): ReactNode {
  const { t } = useLanguage()
  const test = useAction('connections.test')
  const [tested, setTested] = useState<ConnectionDraft | null>(null)
  const [touched, setTouched] = useState(false)
  const needsSecret = isSecretNeeded(draft)
  const badUrl = touched && draft.baseUrl !== 'https://' && !isWebAddress(draft.baseUrl)
  function set(change: Partial<ConnectionDraft>): void {
    setTouched(true)
    onChange({ ...draft, ...change })
  }
  function run(): void {
    const { baseUrl, clientId, clientSecret } = connectionInput(draft)
    setTested(draft)
    test.mutate({ id: draft.id, baseUrl, clientId, ...(clientSecret === undefined ? {} : { clientSecret }) })
  }
  return (
    <div className="form">
      <TextField
        label={t('connection.name')}
        value={draft.name}
        onChange={(name) => set({ name })}
        hint={t('connection.nameHint')}
      />
      <TextField
        label={t('connection.baseUrl')}
        type="url"
        value={draft.baseUrl}
        onChange={(baseUrl) => set({ baseUrl })}
        problem={badUrl ? t('connection.badUrl') : null}
        isRequired
      />
      <SetByAdministrator policy="AllowedPlatformHosts" />
      <TextField
        label={t('connection.clientId')}
        value={draft.clientId}
        onChange={(clientId) => set({ clientId })}
        isRequired
      />
      <TextField
        label={t('connection.clientSecret')}
        type="password"
        value={draft.clientSecret}
        onChange={(clientSecret) => set({ clientSecret })}
        hint={
          needsSecret
            ? t(draft.secretFor === null ? 'connection.secretHint' : 'connection.secretAgain')
            : t('connection.secretKept')
        }
        isRequired={needsSecret}
      />
      <div className="form__row">
        <Button onPress={run} isDisabled={!isComplete(draft) || test.isPending}>
          {test.isPending ? t('connection.testing') : t('connection.test')}
        </Button>
      </div>
      <div role="status">
        {tested === draft && <TestOutcome data={test.data} error={test.error} typedUrl={draft.baseUrl} />}
      </div>
    </div>
  )
}

/** The outcome of a test of address and credentials. */
function TestOutcome({
  data,
  error,
  typedUrl,
}: {
  data: CallOutput<'connections.test'> | undefined
  error: Error | null
  typedUrl: string
}): ReactNode {
  const { t, formats, questionSentence } = useLanguage()
  if (error) return <Callout kind="bad">{questionSentence(error)}</Callout>
  if (!data) return null
  if (data.problem) return <Callout kind="bad">{questionSentence(data.problem)}</Callout>
  return (
    <Callout kind="good">
      <strong>{t('connection.works')}</strong>
      {data.models && data.models.length > 0 && <> {t('connection.models', { models: formats.list(data.models) })}</>}
      {data.modelsProblem && <> {t('connection.noModels', { reason: questionSentence(data.modelsProblem) })}</>}
      {data.baseUrl !== trimmedUrl(typedUrl) && (
        <div className="selectable">{t('connection.usedAs', { address: data.baseUrl })}</div>
      )}
    </Callout>
  )
}
