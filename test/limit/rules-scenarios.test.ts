import { mustPass } from './scenarios/must-pass.ts'
import { rulesScenarios } from './scenarios/rules.ts'

mustPass(rulesScenarios)
