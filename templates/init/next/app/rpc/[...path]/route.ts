import { greeter } from "../../greeter";

// A contract with @get methods also needs GET.
export const POST = (request: Request) => greeter.fetch(request);
