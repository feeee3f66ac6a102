import { type Command, command } from './line/command.ts'

const status = command({
  name: 'ingest status',
  summary: 'Show how many messages wait in the ingest queue',
  environment: ['NATS_URL', 'BUS_PREFIX'],
  options: {},
  example: '',
  async run(house) {
    const bus = await house.bus()
    // The worker acknowledges a message after its events are stored, and the stream then drops it.
    const { state } = await bus.manager.streams.info(bus.streamName('INGEST'))
    const facts = { messages: state.messages, bytes: state.bytes }
    return { said: state.messages === 0 ? 'The ingest queue is empty.' : 'In the ingest queue:', facts }
  },
})

export const ingestCommands: readonly Command[] = [status]
