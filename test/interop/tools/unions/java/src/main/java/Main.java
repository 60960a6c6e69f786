import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import unions.*;

/** Sends values of all variants with openapi-generator's client for Java. */
public final class Main {
  /** Sends the value of a union, and returns the value in the response. */
  private interface Send<Value> {
    Value call(Value value) throws ApiException;
  }

  @SafeVarargs
  private static <Value> void check(Send<Value> send, Value... values)
      throws ApiException {
    for (Value value : values) {
      Value got = send.call(value);
      // Objects are equal if their class and their fields are.
      if (!value.equals(got)) {
        throw new AssertionError("expected " + value + ", got " + got);
      }
    }
  }

  public static void main(String[] arguments) throws ApiException {
    UnionsApi api =
        new UnionsApi(new ApiClient().setBasePath(arguments[0]));
    OffsetDateTime at = OffsetDateTime.parse("2026-01-31T12:00:00Z");
    Paid paid = new Paid().kind(Paid.KindEnum.PAID).amount("5");
    Shipped shipped =
        new Shipped().kind(Shipped.KindEnum.SHIPPED).at(at).carrier("us");
    Shipped delivered =
        new Shipped().kind(Shipped.KindEnum.DELIVERED).at(at);
    Near near = new Near().city("a").radius(0.5);

    check(
        value -> api.unionsTagged(new TaggedRequest().value(value)).getValue(),
        new OrderEvent(paid),
        new OrderEvent(shipped),
        new OrderEvent(delivered));
    check(
        value -> api.unionsNested(new NestedRequest().value(value)).getValue(),
        new AnyEvent(paid),
        new AnyEvent(delivered),
        new AnyEvent(new Lost().kind(Lost.KindEnum.LOST)));
    // The client rejects an unknown variant that has other fields.
    OpenEventUnknownVariant refunded =
        new OpenEventUnknownVariant().kind("refunded");
    check(
        value -> api.unionsOpen(new OpenRequest().value(value)).getValue(),
        new OpenEvent(paid),
        new OpenEvent(delivered),
        new OpenEvent(refunded));
    check(
        value ->
            api.unionsNumbered(new NumberedRequest().value(value)).getValue(),
        new Outcome(
            new Found().status(Found.StatusEnum.NUMBER_200).name("a")),
        new Outcome(
            new Found().status(Found.StatusEnum.NUMBER_201).name("b")),
        new Outcome(new Missing().status(Missing.StatusEnum.NUMBER_404)));
    check(
        value ->
            api.unionsUntagged(new UntaggedRequest().value(value)).getValue(),
        new Place(near),
        new Place(new Within().city("a")));
    // The client cannot send a list.
    check(
        value -> api.unionsKinds(new KindsRequest().value(value)).getValue(),
        new Query("a"),
        new Query(near));
    Payment payment = new Payment().amount("5");
    check(
        value -> api.unionsBeside(new BesideRequest().value(value)).getValue(),
        new Intent(
            new IntentPaid()
                .id(1L)
                .code(IntentPaid.CodeEnum.PAID)
                .data(payment)),
        new Intent(
            new IntentRefunded()
                .id(1L)
                .code(IntentRefunded.CodeEnum.REFUNDED)
                .data(payment)),
        new Intent(
            new IntentLost().id(1L).code(IntentLost.CodeEnum.LOST)));
    check(
        value -> api.unionsChoice(new ChoiceRequest().value(value)).getValue(),
        new Payee(new PayeeCard().card("1")),
        new Payee(new PayeeIban().iban("2")));
    check(
        value -> api.unionsFields(new FieldsRequest().value(value)).getValue(),
        new Parcel()
            .events(List.of(new OrderEvent(paid), new OrderEvent(delivered)))
            .byName(Map.of("a", new OrderEvent(shipped)))
            // The client omits null.
            .next(new OrderEvent(paid)),
        new Parcel()
            .events(List.of())
            .byName(Map.of())
            .last(new OrderEvent(paid))
            .next(new OrderEvent(delivered)));

    Paid nothing = new Paid().kind(Paid.KindEnum.PAID).amount("0");
    try {
      api.unionsTagged(new TaggedRequest().value(new OrderEvent(nothing)));
      throw new AssertionError("expected an error");
    } catch (ApiException error) {
      SoldOutError soldOut =
          JSON.getGson().fromJson(error.getResponseBody(), SoldOutError.class);
      Long left = soldOut.getData().getLeft();
      if (!Long.valueOf(3).equals(left)) {
        throw new AssertionError("expected 3, got " + left);
      }
    }
  }
}
