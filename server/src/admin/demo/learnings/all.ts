import { bookingLearnings } from './booking.ts'
import { deliveryLearnings } from './delivery.ts'
import { designLearnings } from './design.ts'
import { driverLearnings } from './driver.ts'
import { firmwareLearnings } from './firmware.ts'
import { fleetLearnings } from './fleet.ts'
import { gateLearnings } from './gate.ts'
import { healthLearnings } from './health.ts'
import type { DemoLearnings } from './learning.ts'
import { plannerLearnings } from './planner.ts'
import { surveysLearnings } from './surveys.ts'
import { yardLearnings } from './yard.ts'

export const demoLearnings: DemoLearnings = {
  ...bookingLearnings,
  ...plannerLearnings,
  ...designLearnings,
  ...gateLearnings,
  ...yardLearnings,
  ...driverLearnings,
  ...deliveryLearnings,
  ...firmwareLearnings,
  ...fleetLearnings,
  ...healthLearnings,
  ...surveysLearnings,
}
