import { Playground } from "./playground.js";

void new Playground().start();
