import { describe, expect, it, onTestFinished } from 'vitest'
import { startModelServer } from '../helpers/model-server.ts'
import { question } from './compat-rig.ts'
import { startRig } from './setup.ts'

const none = { baseUrl: null, apiKey: null, large: null, small: null }

describe('A model server on a host that an administrator does not allow', () => {
  it('can neither be named nor asked, and one that was named stays stored and is not used', async () => {
    const model = await startModelServer(() => undefined)
    onTestFinished(model.close)
    const server = { baseUrl: model.baseUrl, apiKey: 'key', large: 'big', small: null }
    const rig = await startRig()
    onTestFinished(rig.close)
    await rig.control('models.save', server)
    const { port } = new URL(model.baseUrl)
    const chat = async (): Promise<number> =>
      (await rig.post('/compat/v1/chat/completions', question, { authorization: `Bearer ${rig.token}` })).status

    await rig.restart({ policies: { AllowedModelServerHosts: ['models.example.com'] } })
    expect(await rig.control('models.get', {})).toMatchObject({ baseUrl: `${model.baseUrl}`, large: 'big' })
    expect(await chat()).toBe(503)
    const refusal = { code: 'set_by_administrator', details: { policy: 'AllowedModelServerHosts' } }
    await expect(rig.control('models.save', server)).rejects.toMatchObject(refusal)
    expect(await rig.control('models.discover', { baseUrl: model.baseUrl })).toEqual({
      models: [],
      problem: refusal,
    })
    expect(model.requests).toHaveLength(0)

    await rig.restart({ policies: { AllowedModelServerHosts: [`127.0.0.1:${port}`] } })
    expect(await chat()).toBe(200)
    await rig.restart({ policies: { AllowedModelServerHosts: [] } })
    await rig.control('models.save', none)
    expect(await rig.control('models.get', {})).toMatchObject({ baseUrl: null })
  })
})
