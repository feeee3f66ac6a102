import { type Command, command } from './line/command.ts'

const status = command({
  name: 'ingest status',
  summary: 'Show how many messages are in the ingest queue; the worker removes them when they are stored',
  environment: ['NATS_URL', 'BUS_PREFIX'],
  options: {},
  example: '',
  async run(house) {
    const bus = await house.bus()
    const { state } = await bus.manager.streams.info(bus.streamName('INGEST'))
    const facts = { messages: state.messages, bytes: state.bytes }
    return { said: state.messages === 0 ? 'The ingest queue is empty.' : 'In the ingest queue:', facts }
  },
})

export const ingestCommands: readonly Command[] = [status]
